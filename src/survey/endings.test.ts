import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turningAway } from '../../reference-service/faults/tamper.ts';
import type { Fault } from '../../reference-service/index.ts';
import type { Refusal } from '../../reference-service/refusal.ts';
import { Facts } from '../facts/index.ts';
import { Secret } from '../redaction/index.ts';
import type { CallableId } from '../service/index.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { always, answerTo, surveyOf } from '../testing/survey/surveyed.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { isDecided, isOfRefusal } from './findings.ts';
import { type SurveyOptions, surveyedAt } from './run-survey.ts';

/** Asks only the questions about one operation, which are enough to stop a survey in the middle. */
const only: NonNullable<SurveyOptions['only']> = (_, id) => id === 'love';

const service = await ownService();

function surveyed(change: Pick<Fault, 'arrive' | 'respond'> = {}) {
  service.faults.set({ name: 'x', operation: 'all', ...change });
  const environment = embeddedEnvironment(service);
  const survey = (rest: Partial<SurveyOptions> = {}) => surveyOf(environment, { only, ...rest });
  return { environment, survey };
}

/** A service that refuses some requests. `isRefused` gets the number of the request, from 1. */
const refusing = (
  isRefused: (count: number) => boolean,
  ...refusal: ConstructorParameters<typeof Refusal>
): Pick<Fault, 'arrive'> => {
  let count = 0;
  return { arrive: turningAway(() => isRefused(++count), ...refusal) };
};

const html = always(200, 'text/html', '<html><body>Sign in</body></html>');

test('a survey whose requests are used up is resumed by the next one, which asks first what no fact answers', async () => {
  const { environment, survey } = surveyed();
  const first = await survey({ maxRequests: 70 });
  assert.equal(first.ended?.reason, 'budget');
  assert.deepEqual(first.left, []);
  assert.ok(first.findings.length > 0, `${first.findings.length} findings`);
  // The survey ended before it had asked all questions about the operation, so the reason for its refusals is unclear, and none becomes a
  // finding.
  assert.deepEqual(first.findings.filter(isOfRefusal), []);

  const facts = new Facts(first.findings.filter(isDecided));
  const second = await surveyOf({ ...environment, facts }, { only });
  assert.equal(second.ended, undefined);
  const isKnown = second.findings.map(({ question, operation }) => facts.of(question, operation) !== undefined);
  assert.deepEqual(
    isKnown,
    isKnown.toSorted((a, b) => Number(a) - Number(b)),
  );
  const whole = await survey();
  const answersOf = (run: typeof whole) =>
    run.findings.map(({ operation, question, answer }) => `${operation} ${question} = ${answer}`).sort();
  assert.deepEqual(answersOf(second), answersOf(whole));
});

test('what was refused before a survey was stopped counts for nothing: its credential may have expired', async () => {
  const { survey } = surveyed(refusing((count) => count > 45, 401));
  const first = await survey({ maxRequests: 60 });
  assert.equal(first.ended?.reason, 'budget');
  for (const { question, answer = '' } of first.findings)
    assert.doesNotMatch(answer, /refused|required|tied| of \d+ tried/, question);
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
  assert.ok(run.findings.length > 0 && run.findings.length <= 5, `${run.findings.length} findings`);
  assert.deepEqual(run.left, []);
});

test('a survey names what it could not undo, each change once', async () => {
  const { survey, environment } = surveyed();
  const { provisionUrl: _, ...shared } = environment;
  service.faults.set({ name: 'x', operation: 'unlove', arrive: () => () => ({ status: 403 }) });
  const { left } = await surveyOf(shared, { only: (question, id) => id === 'love' && question === 'repeat' });
  assert.equal(left.length, 1, left.join('\n'));
  assert.match(left[0] ?? '', /403 .*although love \{"storyId":".*"\} of .* was accepted before/);
  service.faults.set();
  assert.deepEqual((await survey()).left, []);
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
  assert.ok(first.findings.length > 0);
  assert.ok(first.findings.every(({ tried = '' }) => !tried.includes('no response')));

  left = Number.POSITIVE_INFINITY;
  const second = await survey();
  assert.equal(second.ended, undefined);
  assert.equal(answerTo(second, 'love', 'repeat'), 'accepted');
});

/**
 * An operation, and the number of requests after which its credential expires. Operations with lasting changes are surveyed as a real user,
 * because with a provisioner the survey would repeat these changes.
 */
const expiring: [id: CallableId, after: number, rest?: 'of a real user'][] = [
  ['love', 75],
  // These two credentials expire while the survey tries languages, or reads the pages of a list. A refusal isn't a page, so the survey must
  // not ask for the next page.
  ['reportOptions', 28],
  ['listBlocked', 80],
  ['report', 12, 'of a real user'],
  ['cloneType', 8, 'of a real user'],
  ['deleteItem', 8, 'of a real user'],
  // This credential expires while the survey sends valid requests. The service then refuses so many of them that the suite stops sending
  // the credential.
  ['updateProfile', 29, 'of a real user'],
];

for (const [id, after, real] of expiring)
  test(`a credential that expires half way refuses everything, which is not the answer to any question: ${id} ${real ?? ''}`, async () => {
    const { environment } = surveyed(refusing((count) => count > after, 401));
    const { provisionUrl, ...rest } = environment;
    const own = { ...(real ? rest : environment), consistencyTimeoutMs: 200 };
    const run = await surveyOf(own, { only: (_, each) => each === id, maxRequests: 1_000 });
    assert.equal(run.ended, undefined);
    const { findings } = run;
    const decided = findings.filter(isDecided);
    assert.ok(decided.length > 0 && decided.length < findings.length);
    for (const { question, answer } of decided)
      assert.doesNotMatch(answer, /refused|required|tied| of \d+ tried/, question);
  });

for (const [what, headers] of [
  ['with Retry-After', { 'retry-after': '0' }],
  ['without a time', {}],
] as const)
  test(`429 ${what} is waited for, at the pace of the survey`, async () => {
    const { environment } = surveyed(refusing((count) => count <= 1, 429, 'slow', 'slow', headers));
    const own = surveyedAt(environment, 20);
    const start = performance.now();
    const run = await surveyOf(own, { only: (question, id) => only('', id) && question === 'repeat' });
    assert.equal(run.ended, undefined);
    assert.equal(answerTo(run, 'love', 'repeat'), 'accepted');
    assert.ok(performance.now() - start >= (run.requests - 1) * 50, `${run.requests} requests`);
  });

test('who asks to come back in an hour is left alone, and the survey says so', async () => {
  const run = await surveyed(refusing(() => true, 429, 'slow', 'slow', { 'retry-after': '3600' })).survey();
  assert.equal(run.ended?.reason, 'throttled');
  assert.match(run.ended?.message ?? '', /429, retry after 3600 s/);
});

test('a page for people decides nothing', async () => {
  const run = await surveyed(html).survey();
  assert.equal(run.ended, undefined);
  assert.deepEqual(run.findings.filter(isDecided), []);
  assert.match(run.findings[0]?.tried ?? '', /was not accepted: 200/);
});

test('an outage is the reason that nothing is decided', async () => {
  const { survey } = surveyed(refusing(() => true, 500));
  const names = ['empty-list', 'error-shape'];
  const run = await survey({
    only: (question, id) => names.includes(question) && ['listBlocked', 'listBlockers', 'love'].includes(id),
  });
  assert.equal(run.findings.length, 5);
  for (const { operation: id, question, tried } of run.findings) assert.match(tried ?? '', /500/, `${id} ${question}`);
});

test('what the environment does not allow stays undecided, with the reason', async () => {
  const { environment } = surveyed();
  const careful = { ...environment, allowedEffects: new Set(['read'] as const) };
  const run = await surveyOf(careful, { only });
  assert.deepEqual(run.findings.filter(isDecided), []);
  for (const { tried = '' } of run.findings) assert.match(tried, /ALLOWED_EFFECTS/);
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
  const run = await surveyOf(secretive, { only: (_, id) => id === 'cloneType' || id === 'love' });
  const written = JSON.stringify(run);
  assert.ok(written.includes('mm-api-key'));
  assert.ok(!written.includes(canary));
  assert.ok(!/tok_[A-Za-z0-9_-]{20,}/.test(written), 'a provisioned token stands in it');
});
