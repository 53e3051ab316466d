import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults, startService } from '../../../reference-service/index.ts';
import type { SentAlert } from '../../../src/testing/programs/alertmanager.ts';
import { freePortsInARow } from '../../../src/testing/programs/run-command.ts';
import { environmentText, seededData } from '../../../src/testing/test-environment.ts';
import { missing } from '../programs.ts';
import { watchedWorld } from './watched-world.ts';

/** Two environments: one will lose its service, the other has a service that gets a fault. */
async function twoServices() {
  const port = await freePortsInARow();
  const start = () => startService({ port, quiet: true });
  const staging = await start();
  const production = await startService({ port: 0, quiet: true });
  const text = ({ addresses, provisionUrl }: typeof staging, effects: string) =>
    environmentText(addresses, { ...seededData, PROVISION_URL: provisionUrl, ALLOWED_EFFECTS: effects });
  // Reading alone shows that a service is gone, in fewer scenarios.
  const environments = { staging: text(staging, 'read'), production: text(production, 'read,reversible') };
  return { start, staging, production, environments };
}

const is =
  (status: SentAlert['status'], labels: Readonly<Record<string, string>>) =>
  (alert: SentAlert): boolean =>
    alert.status === status && Object.entries(labels).every(([name, value]) => alert.labels[name] === value);

test('a service breaks: the alert arrives with its labels, what follows from it is inhibited, and it resolves', {
  skip: missing('prometheus', 'prometheus-alertmanager'),
}, async (t) => {
  const services = await twoServices();
  let staging: Awaited<ReturnType<typeof services.start>> | undefined = services.staging;
  t.after(async () => {
    await staging?.stop();
    await services.production.stop();
  });
  const world = await watchedWorld(t, services.environments);
  const pages = () => world.sent.sentTo('/pages');
  const offered = (await (await fetch(`${world.prober}/targets`)).json()) as readonly object[];
  assert.ok(offered.length > 10);
  await world.until(async () => (await world.query('sum(probe_success)')) === offered.length);

  await staging.stop();
  staging = undefined;
  services.production.faults.set(...faults.filter(({ name }) => name === 'unlove-finds-no-love'));
  const gone = { alertname: 'SextantEnvironmentUnreachable', environment: 'staging', severity: 'page' };
  const failing = {
    alertname: 'SextantScenarioFailing',
    environment: 'production',
    area: 'stories',
    scenario: 'love, then unlove',
    effect: 'reversible',
    severity: 'page',
  };
  await world.until(async () => [gone, failing].every((labels) => pages().some(is('firing', labels))));
  assert.equal(pages().find(is('firing', gone))?.annotations.summary, 'staging: nothing answers');
  assert.match(
    pages().find(is('firing', failing))?.annotations.description ?? '',
    /^The scenario "love, then unlove" \(area stories\) failed .* Verdict: failed\. .*module=love-then-unlove&debug=true$/,
  );
  // What follows from it is held back.
  await world.until(async () => {
    const names = (await world.inhibited())
      .filter(({ environment }) => environment === 'staging')
      .map(({ alertname }) => alertname);
    return names.includes('SextantAreaUnreachable') && names.includes('SextantScenarioFailing');
  });

  staging = await services.start();
  services.production.faults.set();
  await world.until(async () => [gone, failing].every((labels) => pages().some(is('resolved', labels))));
});
