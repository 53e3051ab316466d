import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { startService } from '../../reference-service/index.ts';
import { Secret } from '../client/index.ts';
import { runAll, scenarios } from '../runner/index.ts';
import { ownFolder, ownService } from '../testing/servers/own-service.ts';
import { startProxy, throttling, type WireVariant } from '../testing/servers/wire-proxy.ts';
import { answerTo, surveyOf } from '../testing/survey/surveyed.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { UNDECIDED } from './facts/fact.ts';
import { type Preflight, preflight, preflightOf } from './preflight.ts';
import type { SurveyOptions } from './run-survey.ts';

/** Questions about one operation are enough to stop in. */
const only: NonNullable<SurveyOptions['only']> = (_, id) => id === 'love';

const honest: WireVariant = (asked, forward) => forward(asked);

/** Every response is an HTML page, like that of a proxy in between. */
const html: WireVariant = async () => ({ status: 200, type: 'text/html', body: '<html><body>Sign in</body></html>' });

const service = await ownService();

/** The environment of the service behind a variant of the wire, and its survey. */
async function behind(t: TestContext, variant: WireVariant) {
  const proxy = await startProxy(service, variant);
  t.after(() => proxy.stop());
  const environment = embeddedEnvironment(proxy);
  const folder = ownFolder();
  const surveyed = (rest: Partial<SurveyOptions> = {}) => surveyOf(environment, folder, { only, ...rest });
  return { environment, surveyed };
}

test('a survey whose requests are used up goes on from there, and asks nothing twice', async (t) => {
  const { environment, surveyed } = await behind(t, honest);
  const first = await surveyed({ maxRequests: 70 });
  assert.equal(first.ended?.reason, 'budget');
  assert.deepEqual(first.left, []);
  const found = first.survey.facts.length;
  assert.ok(found > 3, `${found} facts`);

  const second = await surveyed();
  assert.equal(second.ended, undefined);
  assert.deepEqual(second.survey.facts.slice(0, found), first.survey.facts);
  assert.ok(second.survey.requests > first.survey.requests);
  assert.deepEqual(
    second.survey.facts.filter(({ answer }) => answer === UNDECIDED),
    [],
  );
  const whole = await surveyOf(environment, ownFolder(), { only });
  const questions = (run: typeof whole) =>
    run.survey.facts.map(({ operation, question, answer }) => [operation, question, answer]);
  assert.deepEqual(questions(second), questions(whole));
});

test('a survey that is stopped keeps what it found and takes back what it changed', async (t) => {
  const { surveyed } = await behind(t, honest);
  const controller = new AbortController();
  const blocks: SurveyOptions['only'] = (_, id) => id === 'block';
  const onProgress = (done: number) => {
    if (done === 5) controller.abort();
  };
  const run = await surveyed({ only: blocks, signal: controller.signal, onProgress });
  assert.equal(run.ended?.reason, 'interrupted');
  assert.equal(run.survey.facts.length, 5);
  assert.deepEqual(run.left, []);
});

/** Serves so many requests, and then what `otherwise` gives. */
function failingAfter(left: number, otherwise: () => Awaited<ReturnType<WireVariant>>) {
  const service = { left };
  const variant: WireVariant = async (asked, forward) => (service.left-- > 0 ? forward(asked) : otherwise());
  return Object.assign(service, { variant });
}

test('a service that dies half way ends the survey clearly; it goes on when the service is back', async (t) => {
  const dying = failingAfter(70, () => {
    throw new Error('gone');
  });
  const { surveyed } = await behind(t, dying.variant);
  const first = await surveyed();
  assert.equal(first.ended?.reason, 'unreachable');
  assert.match(first.ended?.message ?? '', /no response in processing/);
  assert.ok(first.survey.facts.length > 3);
  assert.ok(first.survey.facts.every(({ tried = '' }) => !tried.includes('no response')));

  dying.left = Number.POSITIVE_INFINITY;
  const second = await surveyed();
  assert.equal(second.ended, undefined);
  assert.equal(answerTo(second, 'love', 'repeat'), 'accepted');
});

const unauthorised = () => ({ status: 401, type: 'application/json', body: '{"error":{}}' });

test('a token that expires half way refuses everything, which is not the answer to any question', async (t) => {
  const { surveyed } = await behind(t, failingAfter(75, unauthorised).variant);
  const { survey } = await surveyed();
  const decided = survey.facts.filter(({ answer }) => answer !== UNDECIDED);
  assert.ok(decided.length > 0 && decided.length < survey.facts.length);
  for (const { question, answer } of decided) assert.doesNotMatch(answer, /refused|required|tied/, question);
});

test('429 with Retry-After is waited for', async (t) => {
  const throttled = throttling(6, '0');
  const { surveyed } = await behind(t, throttled);
  const run = await surveyed({ only: (question, id) => only('', id) && question === 'repeat' });
  assert.equal(run.ended, undefined);
  assert.equal(throttled.refused, 6);
  assert.equal(answerTo(run, 'love', 'repeat'), 'accepted');
});

test('who asks to come back in an hour is left alone, and the survey says so', async (t) => {
  const { surveyed } = await behind(t, throttling(1_000, '3600'));
  const run = await surveyed();
  assert.equal(run.ended?.reason, 'throttled');
  assert.match(run.ended?.message ?? '', /429, retry after 3600 s/);
});

test('a page for people decides nothing', async (t) => {
  const { surveyed } = await behind(t, html);
  const run = await surveyed();
  assert.equal(run.ended, undefined);
  assert.deepEqual([...new Set(run.survey.facts.map(({ answer }) => answer))], [UNDECIDED]);
  assert.match(run.survey.facts[0]?.tried ?? '', /was not accepted: 200/);
});

test('what the environment does not allow stays undecided, with the reason', async (t) => {
  const { environment } = await behind(t, honest);
  const careful = { ...environment, allowedEffects: new Set(['read'] as const) };
  const run = await surveyOf(careful, ownFolder(), { only });
  // Reading with another method is allowed, so that is all that was sent.
  const facts = run.survey.facts.filter(({ question }) => question !== 'method-not-allowed');
  assert.deepEqual([...new Set(facts.map(({ answer }) => answer))], [UNDECIDED]);
  for (const { evidence, tried = '' } of facts) {
    assert.deepEqual(evidence, []);
    assert.match(tried, /ALLOWED_EFFECTS/);
  }
});

/** The operations that a scenario's failure leaves in doubt, with its verdict. */
const reportedOf = ({ failed }: Preflight) =>
  failed.map((each) => `${each.verdict}: ${JSON.stringify(each)}`).join('\n');
/** An operation whose path ends so, or contains it, answers in one way. */
const answering =
  (path: RegExp, reply: Awaited<ReturnType<WireVariant>>): WireVariant =>
  async (asked, forward) =>
    path.test(asked.path) ? reply : forward(asked);
const crashed = { status: 500, type: null, body: '' };

/** Enough to tell one operation that fails from a service that does. */
const few = /^(block, then list, then unblock|love, then unlove|evaluate a flag with default)$/;

const states: [name: string, variant: WireVariant, isUsable: boolean, reported: RegExp][] = [
  ['pages for people', html, false, /^failed: .*but the body is not valid JSON/],
  ['refused credentials', async () => unauthorised(), false, /^refused: .*401.*"isContent":false/],
  [
    'one operation that crashes',
    answering(/\/feature$/, crashed),
    true,
    /^failed: .*500.*"operations":\["evaluate"\],"isContent":false/,
  ],
  [
    'a list that is always empty',
    answering(/block\/\d/, { status: 200, type: 'application/json', body: '[]' }),
    true,
    /^failed: .*"operations":\["listBlocked"\],"isContent":true/,
  ],
];

for (const [name, variant, isUsable, reported] of states) {
  test(`before a survey, ${name}: ${isUsable ? 'something' : 'nothing'} can be learned`, async (t) => {
    const { environment } = await behind(t, variant);
    const options = { environment: { ...environment, consistencyTimeoutMs: 200 }, seed: '1', runId: randomUUID() };
    const chosen = (await scenarios()).filter(({ title }) => few.test(title));
    assert.equal(chosen.length, 3);
    const found = preflightOf(await runAll(chosen, options));
    assert.equal(found.isUsable, isUsable);
    assert.match(reportedOf(found), reported);
  });
}

test('before a survey, without a service: nothing can be learned', async () => {
  const gone = await startService({ port: 0, quiet: true });
  await gone.stop();
  const { provisionUrl: _, ...environment } = embeddedEnvironment(gone, { requestTimeoutMs: 2_000 });
  const found = await preflight({ environment, seed: '1', runId: randomUUID() });
  assert.equal(found.isUsable, false);
  assert.match(reportedOf(found), /"operations":\["love","unlove","reportOptions","report"\],"isContent":false/);
});

test('what failed is undecided with all that depends on it; the rest is learned, from the first run as well', async (t) => {
  const { environment, surveyed } = await behind(t, answering(/\/love$/, crashed));
  const found = await surveyed({
    preflight: await preflight({ environment, seed: '1', runId: randomUUID() }),
    only: (question, id) => ['love', 'unlove', 'report'].includes(id) && /^(success|unknown-story)/.test(question),
  });
  const tried = new Map(
    found.survey.facts.map(({ operation, question, answer, tried }) => [`${operation} ${question}`, tried ?? answer]),
  );
  for (const id of ['love', 'unlove'])
    assert.match(
      tried.get(`${id} success-status`) ?? '',
      /^scenario "(love, then unlove|two users love one story)" failed \(.*500/,
    );
  assert.equal(tried.get('report success-status'), '201');
  const learned = found.observed.map(({ operation }) => operation);
  assert.ok(!learned.includes('love') && !learned.includes('unlove'), learned.join());
  // No question about it was asked: its samples are the scenarios' own.
  assert.ok(learned.includes('saveAvatar'), learned.join());
});

test('no secret stands in a survey, whoever echoes it', async (t) => {
  const canary = 'canary-token-5f1d2e7a90';
  const echo: WireVariant = async (asked, forward) => {
    const reply = await forward(asked);
    return { ...reply, body: JSON.stringify({ echo: asked.headers, body: reply.body }) };
  };
  const { environment } = await behind(t, echo);
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
