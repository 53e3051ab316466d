import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turningAway } from '../../reference-service/faults/tamper.ts';
import type { Fault } from '../../reference-service/index.ts';
import type { Refusal } from '../../reference-service/refusal.ts';
import { Secret } from '../client/index.ts';
import type { CallableId } from '../spec/index.ts';
import { ownFolder, ownService } from '../testing/servers/own-service.ts';
import { always, answerTo, surveyOf } from '../testing/survey/surveyed.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { isOfRefusal, UNDECIDED } from './facts/fact.ts';
import type { SurveyOptions } from './run-survey.ts';

/** Questions about one operation are enough to stop in. */
const only: NonNullable<SurveyOptions['only']> = (_, id) => id === 'love';

const service = await ownService();

function surveyed(change: Pick<Fault, 'arrive' | 'respond'> = {}) {
  service.faults.set({ name: 'x', operation: 'all', ...change });
  const environment = embeddedEnvironment(service);
  const folder = ownFolder();
  const survey = (rest: Partial<SurveyOptions> = {}) => surveyOf(environment, folder, { only, ...rest });
  return { environment, survey };
}

/** Refuses requests by their number, from 1. */
const refusing = (
  isRefused: (count: number) => boolean,
  ...refusal: ConstructorParameters<typeof Refusal>
): Pick<Fault, 'arrive'> => {
  let count = 0;
  return { arrive: turningAway(() => isRefused(++count), ...refusal) };
};

const html = always(200, 'text/html', '<html><body>Sign in</body></html>');

test('a survey whose requests are used up goes on from there, and asks nothing twice but what was refused', async () => {
  const { environment, survey } = surveyed();
  const first = await survey({ maxRequests: 70 });
  assert.equal(first.ended?.reason, 'budget');
  assert.deepEqual(first.left, []);
  const kept = first.survey.facts.filter((fact) => !isOfRefusal(fact));
  assert.ok(kept.length >= 3 && kept.length < first.survey.facts.length, `${kept.length} facts`);

  const second = await survey();
  assert.equal(second.ended, undefined);
  assert.deepEqual(second.survey.facts.slice(0, kept.length), kept);
  assert.ok(second.survey.requests > first.survey.requests);
  assert.deepEqual(
    second.survey.facts.filter(({ answer }) => answer === UNDECIDED),
    [],
  );
  const whole = await surveyOf(environment, ownFolder(), { only });
  const questions = (run: typeof whole) =>
    run.survey.facts.map(({ operation, question, answer }) => `${operation} ${question} = ${answer}`).sort();
  assert.deepEqual(questions(second), questions(whole));
});

test('what was refused before a survey was stopped is asked again: its credential may have expired', async () => {
  const { environment, survey } = surveyed(refusing((count) => count > 45, 401));
  const first = await survey({ maxRequests: 60 });
  assert.equal(first.ended?.reason, 'budget');
  service.faults.set();
  const [second, whole] = [await survey(), await surveyOf(environment, ownFolder(), { only })];
  const found = whole.survey.facts.map(({ question, answer }) => [answerTo(second, 'love', question), answer]);
  assert.deepEqual(
    found.filter(([now, whole]) => now !== whole && now !== UNDECIDED),
    [],
  );
  assert.ok(found.filter(([now]) => now !== UNDECIDED).length > found.length / 2);
});

test('a survey that is stopped keeps what it found and takes back what it changed', async () => {
  const { survey } = surveyed();
  const controller = new AbortController();
  const blocks: SurveyOptions['only'] = (_, id) => id === 'block';
  const onProgress = (done: number) => {
    if (done === 5) controller.abort();
  };
  const run = await survey({ only: blocks, signal: controller.signal, onProgress });
  assert.equal(run.ended?.reason, 'interrupted');
  assert.equal(run.survey.facts.length, 5);
  assert.deepEqual(run.left, []);
});

test('a service that dies half way ends the survey clearly; it goes on when the service is back', async () => {
  let left = 70;
  const { survey } = surveyed({
    arrive: () => (request) => {
      if (left-- > 0) return undefined;
      request.socket.resetAndDestroy();
      return 'taken';
    },
  });
  const first = await survey();
  assert.equal(first.ended?.reason, 'unreachable');
  assert.match(first.ended?.message ?? '', /no response in processing/);
  assert.ok(first.survey.facts.length > 3);
  assert.ok(first.survey.facts.every(({ tried = '' }) => !tried.includes('no response')));

  left = Number.POSITIVE_INFINITY;
  const second = await survey();
  assert.equal(second.ended, undefined);
  assert.equal(answerTo(second, 'love', 'repeat'), 'accepted');
});

/** The operation, and after how many requests its credential expires; with a provisioner, lasting changes are made again and again. */
const expiring: [id: CallableId, after: number, rest?: 'of a real user'][] = [
  ['love', 75],
  // While languages are tried, and while pages are read: an error is no page, and so no reason to read the next one.
  ['reportOptions', 28],
  ['listBlocked', 80],
  ['report', 12, 'of a real user'],
  ['cloneType', 8, 'of a real user'],
  ['deleteItem', 8, 'of a real user'],
  // Between valid requests, which are refused so often that the credential is sent no more.
  ['updateProfile', 29, 'of a real user'],
];

for (const [id, after, real] of expiring)
  test(`a credential that expires half way refuses everything, which is not the answer to any question: ${id} ${real ?? ''}`, async () => {
    const { environment } = surveyed(refusing((count) => count > after, 401));
    const { provisionUrl, ...rest } = environment;
    const own = { ...(real ? rest : environment), consistencyTimeoutMs: 200 };
    const run = await surveyOf(own, ownFolder(), { only: (_, each) => each === id, maxRequests: 1_000 });
    assert.equal(run.ended, undefined);
    const { facts } = run.survey;
    const decided = facts.filter(({ answer }) => answer !== UNDECIDED);
    assert.ok(decided.length > 0 && decided.length < facts.length);
    for (const { question, answer } of decided)
      assert.doesNotMatch(answer, /refused|required|tied|only bearer| of \d+ tried/, question);
  });

test('429 with Retry-After is waited for', async () => {
  const { survey } = surveyed(refusing((count) => count <= 2, 429, 'slow', 'slow', { 'retry-after': '0' }));
  const run = await survey({ only: (question, id) => only('', id) && question === 'repeat' });
  assert.equal(run.ended, undefined);
  assert.equal(answerTo(run, 'love', 'repeat'), 'accepted');
});

test('who asks to come back in an hour is left alone, and the survey says so', async () => {
  const run = await surveyed(refusing(() => true, 429, 'slow', 'slow', { 'retry-after': '3600' })).survey();
  assert.equal(run.ended?.reason, 'throttled');
  assert.match(run.ended?.message ?? '', /429, retry after 3600 s/);
});

test('a page for people decides nothing', async () => {
  const run = await surveyed(html).survey();
  assert.equal(run.ended, undefined);
  assert.deepEqual([...new Set(run.survey.facts.map(({ answer }) => answer))], [UNDECIDED]);
  assert.match(run.survey.facts[0]?.tried ?? '', /was not accepted: 200/);
});

test('what the environment does not allow stays undecided, with the reason', async () => {
  const { environment } = surveyed();
  const careful = { ...environment, allowedEffects: new Set(['read'] as const) };
  const run = await surveyOf(careful, ownFolder(), { only });
  // Reading is allowed, with another method too, so that is all that was sent.
  const facts = run.survey.facts.filter(({ question }) => question !== 'method-not-allowed');
  assert.deepEqual([...new Set(facts.map(({ answer }) => answer))], [UNDECIDED]);
  for (const { evidence, tried = '' } of facts) {
    assert.deepEqual(evidence, []);
    assert.match(tried, /ALLOWED_EFFECTS/);
  }
});

test('no secret stands in a survey, whoever echoes it', async () => {
  const canary = 'canary-token-5f1d2e7a90';
  const { environment } = surveyed({
    respond: () => (response, request) => ({
      ...response,
      body: JSON.stringify({ echo: request.headers, body: response.body }),
    }),
  });
  const apiKey = new Secret(canary);
  const secretive = {
    ...environment,
    caller: { ...environment.caller, apiKey },
    secrets: [...environment.secrets, apiKey],
  };
  const run = await surveyOf(secretive, ownFolder(), { only: (_, id) => id === 'cloneType' || id === 'love' });
  const written = JSON.stringify(run);
  assert.ok(written.includes('mm-api-key'));
  assert.ok(!written.includes(canary));
  assert.ok(!/tok_[A-Za-z0-9_-]{20,}/.test(written), 'a provisioned token stands in it');
});
