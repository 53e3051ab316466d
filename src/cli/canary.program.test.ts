import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyPlaces, headPlaces } from '../testing/echo/echoing-service.ts';
import { canaries, runEveryCommand } from '../testing/echo/run-every-command.ts';
import { secretForms } from '../testing/echo/secret-forms.ts';
import { ownService } from '../testing/servers/own-service.ts';

const ran = await runEveryCommand(await ownService());

test('no command leaves a secret anywhere, whatever a service repeats', (t) => {
  t.diagnostic(`${ran.outputs.size} outputs and ${ran.files.length} files searched`);
  assert.deepEqual(ran.leaks, []);
});

test('the service repeated its credentials in every form in every place that can hold it', () => {
  const sent = [canaries.ACCESS_TOKEN, canaries.API_KEY];
  const places = [...Object.keys(bodyPlaces).map((name) => ({ name, fits: /^/ })), ...headPlaces];
  const missing = places.flatMap(({ name, fits }) =>
    secretForms
      .filter(({ encode }) => sent.every((value) => fits.test(encode(value))))
      .filter((form) => !ran.service.said.get(name)?.has(form.name))
      .map((form) => `${form.name} in ${name}`),
  );
  assert.deepEqual(missing, []);
});

/** Where what a service says is shown: every kind of artifact. */
const kinds = [
  'check --env canary --junit',
  'check --env canary --json',
  'check.xml',
  'check.md',
  'job.md',
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

test('what the service says is found in every kind of artifact, unless it is a secret', () => {
  const found = kinds.filter((kind) => [...ran.shown].some((place) => new RegExp(`^${kind}`).test(place)));
  assert.deepEqual(found, kinds);
  const sent = [canaries.ACCESS_TOKEN, canaries.API_KEY, canaries.FRIEND_ACCESS_TOKEN];
  assert.deepEqual([...ran.service.sent].filter((credential) => sent.includes(credential)).sort(), sent.sort());
});
