import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { Secret } from '../client/index.ts';
import type { Environment } from '../config/index.ts';
import type { WireVariant } from '../testing/servers/wire-proxy.ts';
import { answerTo, surveyOf, withFreshService, withVariant } from '../testing/survey/surveyed.ts';
import { html, throttling } from '../testing/survey/variants.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { UNDECIDED } from './facts/fact.ts';
import { preflight } from './preflight.ts';
import type { SurveyOptions } from './run-survey.ts';

/** A survey of one area is long enough to stop in. */
const only: SurveyOptions['only'] = (_, id) => id === 'love';

const honest: WireVariant = (asked, forward) => forward(asked);

test('a survey whose requests are used up goes on from there, and asks nothing twice', async () => {
  await withVariant(honest, async (environment, folder) => {
    const first = await surveyOf(environment, folder, { only, maxRequests: 70 });
    assert.equal(first.ended?.reason, 'budget');
    assert.deepEqual(first.left, []);
    const found = first.survey.facts.length;
    assert.ok(found > 3, `${found} facts`);

    const second = await surveyOf(environment, folder, { only });
    assert.equal(second.ended, undefined);
    assert.deepEqual(second.survey.facts.slice(0, found), first.survey.facts);
    assert.ok(second.survey.requests > first.survey.requests);
    assert.deepEqual(
      second.survey.facts.filter(({ answer }) => answer === UNDECIDED),
      [],
    );
    const whole = await surveyOf(environment, `${folder}/other`, { only });
    const questions = (run: typeof whole) =>
      run.survey.facts.map(({ operation, question, answer }) => [operation, question, answer]);
    assert.deepEqual(questions(second), questions(whole));
  });
});

test('a survey that is stopped keeps what it found and takes back what it changed', async () => {
  await withVariant(honest, async (environment, folder) => {
    const controller = new AbortController();
    const blocks: SurveyOptions['only'] = (_, id) => id === 'block';
    const onProgress = (done: number) => {
      if (done === 5) controller.abort();
    };
    const run = await surveyOf(environment, folder, { only: blocks, signal: controller.signal, onProgress });
    assert.equal(run.ended?.reason, 'interrupted');
    assert.equal(run.survey.facts.length, 5);
    assert.deepEqual(run.left, []);
  });
});

test('a service that dies half way ends the survey clearly; it goes on when the service is back', async () => {
  let left = 70;
  const dying: WireVariant = async (asked, forward) => {
    if (left-- > 0) return forward(asked);
    throw new Error('gone');
  };
  await withVariant(dying, async (environment, folder) => {
    const first = await surveyOf(environment, folder, { only });
    assert.equal(first.ended?.reason, 'unreachable');
    assert.match(first.ended?.message ?? '', /no response in processing/);
    const found = first.survey.facts.map(({ tried = '' }) => tried);
    assert.ok(found.length > 3);
    assert.deepEqual(
      found.filter((tried) => tried.includes('no answer')),
      [],
    );

    left = Number.POSITIVE_INFINITY;
    const second = await surveyOf(environment, folder, { only });
    assert.equal(second.ended, undefined);
    assert.equal(answerTo(second, 'love', 'repeat'), 'accepted');
  });
});

test('a token that expires half way refuses everything, which is not the answer to any question', async () => {
  let left = 75;
  const expiring: WireVariant = async (asked, forward) =>
    left-- > 0 ? forward(asked) : { status: 401, type: 'application/json', body: '{"error":{}}' };
  await withVariant(expiring, async (environment, folder) => {
    const { survey } = await surveyOf(environment, folder, { only });
    const decided = survey.facts.filter(({ answer }) => answer !== UNDECIDED);
    assert.ok(decided.length > 0 && decided.length < survey.facts.length);
    for (const { question, answer } of decided) assert.doesNotMatch(answer, /refused|required|tied/, question);
  });
});

test('429 with Retry-After is waited for', async () => {
  const throttled = throttling(6, '0');
  await withVariant(throttled, async (environment, folder) => {
    const run = await surveyOf(environment, folder, { only: (question, id) => only('', id) && question === 'repeat' });
    assert.equal(run.ended, undefined);
    assert.equal(throttled.refused, 6);
    assert.equal(answerTo(run, 'love', 'repeat'), 'accepted');
  });
});

test('who asks to come back in an hour is left alone, and the survey says so', async () => {
  await withVariant(throttling(1_000, '3600'), async (environment, folder) => {
    const run = await surveyOf(environment, folder, { only });
    assert.equal(run.ended?.reason, 'throttled');
    assert.match(run.ended?.message ?? '', /429, retry after 3600 s/);
  });
});

test('a page for people decides nothing', async () => {
  await withVariant(html, async (environment, folder) => {
    const run = await surveyOf(environment, folder, { only });
    assert.equal(run.ended, undefined);
    assert.deepEqual([...new Set(run.survey.facts.map(({ answer }) => answer))], [UNDECIDED]);
    assert.match(run.survey.facts[0]?.tried ?? '', /was not accepted: 200/);
  });
});

test('what the environment does not allow stays undecided, with the reason', async () => {
  await withVariant(honest, async (environment, folder) => {
    const careful = { ...environment, allowedEffects: new Set(['read'] as const) };
    const run = await surveyOf(careful, folder, { only });
    // Reading with another method is allowed, so that is all that was sent.
    const facts = run.survey.facts.filter(({ question }) => question !== 'method-not-allowed');
    assert.deepEqual([...new Set(facts.map(({ answer }) => answer))], [UNDECIDED]);
    for (const { evidence, tried = '' } of facts) {
      assert.deepEqual(evidence, []);
      assert.match(tried, /ALLOWED_EFFECTS/);
    }
  });
});

/** The operations that a scenario's failure leaves in doubt, with its verdict, and whether anything held. */
async function beforehand(environment: Environment) {
  const { failed, isUsable } = await preflight({ environment, seed: '1', runId: randomUUID() });
  const lines = failed.map((each) => `${each.verdict}: ${JSON.stringify(each)}`);
  return { isUsable, reported: lines.join('\n') };
}

const states: [name: string, variant: WireVariant, isUsable: boolean, reported: RegExp][] = [
  ['a healthy service', honest, true, /^$/],
  ['pages for people', html, false, /^failed: .*but the body is not valid JSON/],
  [
    'refused credentials',
    async () => ({ status: 401, type: 'application/json', body: '{}' }),
    false,
    /^refused: .*401.*"scope":"operation"/,
  ],
  [
    'one operation that crashes',
    async (asked, forward) =>
      asked.path.endsWith('/feature') ? { status: 500, type: null, body: '' } : forward(asked),
    true,
    /^failed: .*500.*"scope":"operation","operation":"evaluate"/,
  ],
  [
    'a list that is always empty',
    async (asked, forward) =>
      /block\/\d/.test(asked.path) ? { status: 200, type: 'application/json', body: '[]' } : forward(asked),
    true,
    /^failed: .*"scope":"content","operation":"listBlocked"/,
  ],
];

for (const [name, variant, isUsable, reported] of states) {
  test(`before a survey, ${name}: ${isUsable ? 'something' : 'nothing'} can be learned`, async () => {
    await withVariant(variant, async (environment) => {
      const found = await beforehand({ ...environment, consistencyTimeoutMs: 200 });
      assert.equal(found.isUsable, isUsable);
      assert.match(found.reported, reported);
    });
  });
}

test('before a survey, without a service: nothing can be learned', async () => {
  const environment = await new Promise<Environment>((resolve) => {
    void withFreshService(async (service) => resolve(embeddedEnvironment(service)));
  });
  const { provisionUrl: _, ...alone } = { ...environment, requestTimeoutMs: 2_000 };
  const found = await beforehand(alone);
  assert.equal(found.isUsable, false);
  assert.match(found.reported, /"scope":"area","area":"stories"/);
});

test('what failed is undecided with all that depends on it; the rest is learned, from the first run as well', async () => {
  const crashing: WireVariant = async (asked, forward) =>
    asked.path.endsWith('/love') ? { status: 500, type: null, body: '' } : forward(asked);
  await withVariant(crashing, async (environment, folder) => {
    const run = { environment, seed: '1', runId: randomUUID() };
    const state = await preflight(run);
    const found = await surveyOf(environment, folder, {
      preflight: state,
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
});

test('no secret stands in a survey, whoever echoes it', async () => {
  const canary = 'canary-token-5f1d2e7a90';
  const echo: WireVariant = async (asked, forward) => {
    const reply = await forward(asked);
    return { ...reply, body: JSON.stringify({ echo: asked.headers, body: reply.body }) };
  };
  await withVariant(echo, async (environment, folder) => {
    const apiKey = new Secret(canary);
    const secretive = {
      ...environment,
      caller: { ...environment.caller, apiKey },
      secrets: [...environment.secrets, apiKey],
    };
    const run = await surveyOf(secretive, folder, { only: (_, id) => id === 'cloneType' || id === 'love' });
    const written = JSON.stringify(run);
    assert.ok(written.includes('mm-api-key'));
    assert.ok(!written.includes(canary));
    assert.ok(!/tok_[A-Za-z0-9_-]{20,}/.test(written), 'a provisioned token stands in it');
  });
});
