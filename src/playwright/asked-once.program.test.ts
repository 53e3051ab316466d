import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInline } from '../testing/programs/run-inline.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { environmentText } from '../testing/test-environment.ts';

/** Reads a list, at which the two wait for each other, then evaluates a flag that nobody has. */
const spec = (title: string) => `
import { scenario } from './sextant.ts';
scenario('${title}', { tag: ['@all', '@read'] }, async ({ friends, fallsBack, data }) => {
  await friends.listBlocked().succeeds();
  await fallsBack({ key: data.text(), default: data.id(), contextData: data.context() });
});
`;

/** How often a run asks how a response shows that the default was used. */
const TRIALS = 3;

/** Two workers share nobody's users where each scenario has its own. */
const keys = { ALLOWED_EFFECTS: 'read', REQUEST_TIMEOUT_MS: 60_000 };

const service = await ownService();

test('two workers that need the same answer ask once', async () => {
  const { promise: bothAreThere, resolve } = Promise.withResolvers<void>();
  let [readers, evaluations] = [0, 0];
  const meeting = async () => {
    if (++readers === 2) resolve();
    await bothAreThere;
    return undefined;
  };
  service.faults.set(
    { name: 'a meeting', operation: 'listBlocked', arrive: () => meeting },
    { name: 'counted', operation: 'evaluate', arrive: () => () => void evaluations++ },
  );
  const run = await runInline({
    specs: { 'one.spec.ts': spec('one'), 'two.spec.ts': spec('two') },
    environments: { qa: environmentText(service.addresses, { ...keys, PROVISION_URL: service.provisionUrl }) },
    args: ['--workers=2'],
  });
  assert.equal(run.code, 0, run.console);
  assert.deepEqual(
    run.tests.map(({ title, status }) => `${title} ${status}`),
    ['one passed', 'two passed'],
  );
  assert.equal(evaluations, TRIALS + run.tests.length);
  assert.match(
    run.console,
    /qa: 1 fact asked; keep it with `?npx sextant survey --env qa --only 'evaluate default-fallback'/,
  );
});
