import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Service, startService } from '../../reference-service/index.ts';
import { bodyPlaces, headPlaces } from '../testing/echo/echo-places.ts';
import { canaries, type EveryCommand, runEveryCommand } from '../testing/echo/run-every-command.ts';
import { secretForms } from '../testing/echo/secret-forms.ts';

let services: Service[];
let masked: EveryCommand;
let clear: EveryCommand;
before(async () => {
  services = [await startService({ port: 0, quiet: true }), await startService({ port: 0, quiet: true })];
  [masked, clear] = (await Promise.all(services.map((service, index) => runEveryCommand(service, index === 0)))) as [
    EveryCommand,
    EveryCommand,
  ];
});
after(() => Promise.all(services.map((service) => service.stop())));

test('no command leaves a secret anywhere, whatever a service repeats', (t) => {
  t.diagnostic(`${masked.outputs.size} outputs and ${masked.files.length} files searched`);
  assert.deepEqual(masked.leaks, []);
});

test('the service repeated its credentials in every form in every place that can hold it', () => {
  const sent = [canaries.ACCESS_TOKEN, canaries.API_KEY];
  const places = [...Object.keys(bodyPlaces).map((name) => ({ name, fits: /^/ })), ...headPlaces];
  const missing = places.flatMap(({ name, fits }) =>
    secretForms
      .filter(({ encode }) => sent.every((value) => fits.test(encode(value))))
      .filter((form) => !masked.said.get(name)?.has(form.name))
      .map((form) => `${form.name} in ${name}`),
  );
  assert.deepEqual(missing, []);
});

/** Where secrets are found when nothing masks them: every kind of artifact. */
const kinds = [
  'check --env canary --junit',
  'check --env canary --json',
  'check.xml',
  'check.md',
  'job.md',
  'test --env canary',
  'output/junit.xml',
  'output/summary.md',
  'output/allure-results/',
  'output/report/',
  'monitor',
  'data/history.sqlite',
  'history export .* --what failures',
  'history export .* --what flips',
  'page /$',
  'page /incidents$',
  'page /scenario/',
  'prober /probe',
  'notice',
  'undo',
  'progress of the survey',
  'surveys/canary.json',
  'surveys/canary.md',
  'observed/canary/\\w+.json',
  'openapi',
];

test('with redaction switched off, the same search finds secrets in every kind of artifact', (t) => {
  t.diagnostic(`${clear.leaks.length} leaks in ${new Set(clear.leaks.map(({ place }) => place)).size} artifacts`);
  const found = kinds.filter((kind) => clear.leaks.some(({ place }) => new RegExp(`^${kind}`).test(place)));
  assert.deepEqual(found, kinds);
  const sent = ['ACCESS_TOKEN', 'API_KEY', 'FRIEND_ACCESS_TOKEN'];
  assert.deepEqual([...new Set(clear.leaks.map(({ secret }) => secret))].sort(), sent);
});
