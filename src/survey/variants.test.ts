import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { assumptions } from '../../reference-service/assumptions/table.ts';
import { onSuccess, withBody } from '../../reference-service/faults/tamper.ts';
import { type Fault, type Service, seeded, serviceReadings } from '../../reference-service/index.ts';
import { Refusal } from '../../reference-service/refusal.ts';
import type { Environment } from '../environment/index.ts';
import { operations } from '../service/index.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { answerTo, findingOf, surveyOf } from '../testing/survey/surveyed.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { isDecided } from './findings.ts';
import { preflight } from './preflight.ts';
import type { SurveyOptions } from './run-survey.ts';

type Only = NonNullable<SurveyOptions['only']>;

const rows = assumptions.flatMap(({ operations, question, answer }) =>
  operations.map((id) => [`${id} ${question}`, answer] as const),
);
const table = new Map<string, string>(rows);

const service = await ownService();

test('the survey of local reproduces the decision table, question by question', async () => {
  const { findings, ended, left } = await surveyOf(embeddedEnvironment(service));
  assert.deepEqual({ ended, left }, { ended: undefined, left: [] });
  const found = new Set(
    findings
      .filter(({ operation }) => operation in operations)
      .map(({ operation, question, answer }) => `${operation} ${question} = ${answer}`),
  );
  const stated = new Set(rows.map(([asked, answer]) => `${asked} = ${answer}`));
  assert.deepEqual(
    { unstated: [...found.difference(stated)], contradicted: [...stated.difference(found)] },
    { unstated: [], contradicted: [] },
    'what a survey finds must be what reference-service/handlers/index.ts and reference-service/assumptions/ state: change them, then `npm run pages`',
  );
});

test("users that are somebody's: surveyed without a wrong statement, and left as they were", async () => {
  const { provisionUrl: _, ...environment } = embeddedEnvironment(service);
  const only: Only = (_, id) => ['listBlockers', 'unlove', 'updateProfile', 'deleteItem'].includes(id);
  const before = await stateOf(service, environment);
  const { findings, ended, left } = await surveyOf(environment, { only });
  assert.deepEqual({ ended, left }, { ended: undefined, left: [] });
  const thin = /^(.*\?: .*|\{userId: string, blockedAt: string\}\[\])$/;
  const wrong = findings.filter(({ operation, question, answer }) => {
    if (answer === undefined) return false;
    return answer !== table.get(`${operation} ${question}`) && !(question === 'answer-shape' && thin.test(answer));
  });
  assert.deepEqual(wrong, []);
  const answers = new Map(findings.map(({ operation, question, answer }) => [`${operation} ${question}`, answer]));
  assert.equal(answers.get('deleteItem success-status'), '204');
  assert.equal(answers.get('deleteItem repeat'), 'refused with 404');
  assert.equal(answers.get('listBlockers paging'), undefined);
  assert.deepEqual(await stateOf(service, environment), before);
});

/** The caller's lists and profile in the service, read without the suite. */
async function stateOf({ addresses }: Service, { caller }: Environment): Promise<unknown[]> {
  const headers = {
    authorization: `bearer ${caller.accessToken?.reveal()}`,
    'mm-client-id': caller.clientId,
    'mm-user-id': caller.userId,
  };
  const read = async (address: string) => (await fetch(address, { headers })).json();
  return Promise.all([
    read(`${addresses.friends}/v1/friends/block/0/100`),
    read(`${addresses.friends}/v1/friends/block/me/0/100`),
    read(`${addresses.profile}/v1/profile/${caller.userId}`),
  ]);
}

test('always 200, without SUCCESS_WHEN: surveyed without a wrong statement', async () => {
  // All responses have the same status and shape: only `code` distinguishes a success (0) from a refusal.
  service.faults.set({
    name: 'mute',
    operation: 'all',
    respond: () => (response) => {
      const code = response.status < 300 ? 0 : response.status;
      return { ...response, status: 200, body: JSON.stringify({ code, message: 'done' }) };
    },
  });
  const environment = embeddedEnvironment(service);
  const only: Only = (_, id) => id === 'love';
  const { findings, ended, left } = await surveyOf(environment, { only });
  assert.deepEqual({ ended, left }, { ended: undefined, left: [] });
  const decided = findings.filter(isDecided);
  // A survey that leaves every question open makes no wrong statement either. So this survey must answer at least some questions.
  assert.ok(decided.length >= findings.length * 0.1, `${decided.length} of ${findings.length} decided`);
  const own: Record<string, string> = {
    'success-status': '200',
    'answer-shape': '{code: integer, message: string}',
    'love-shown': 'nothing shows it',
  };
  const wrong = findings.filter(({ operation, question, answer }) => {
    const expected = own[question];
    return expected
      ? answer !== undefined && answer !== expected
      : answer !== undefined && answer !== table.get(`${operation} ${question}`);
  });
  assert.deepEqual(wrong, []);
});

test('a name in `includes` that empties a field says neither that it names it nor that it does not', async () => {
  const handle: Fault['handle'] = (honest) => (visit) => {
    const args = visit.args as { readonly includes: string };
    return honest(args.includes === 'name;avartarUrl' ? { ...visit, args: { ...args, url: '' } } : visit);
  };
  service.faults.set({ name: 'empties', operation: 'updateProfile', handle });
  const only: Only = (question, id) => question === 'includes-effect' && id === 'updateProfile';
  const run = await surveyOf(embeddedEnvironment(service), { only });
  assert.equal(
    findingOf(run, 'updateProfile', 'includes-effect')?.tried,
    'the url was neither kept nor applied, with avartarUrl included',
  );
});

type Shown = Readonly<Record<string, unknown>>;
const shownAs: readonly (readonly [answer: string, renamed: (profile: Shown) => object])[] = [
  ['the documented ones', ({ url, ...rest }) => ({ ...rest, avatarUrl: url })],
  [
    'name is displayName, url is picRef, gender is not shown',
    ({ name, url, gender: _, ...rest }) => ({ ...rest, displayName: name, picRef: url }),
  ],
];
for (const [answer, renamed] of shownAs)
  test(`a profile that is read is surveyed for its names: ${answer}`, async () => {
    service.faults.set({
      name: 'names',
      operation: 'readProfile',
      respond: onSuccess((response) => withBody(response, (shown) => renamed(shown as Shown))),
    });
    const run = await surveyOf(embeddedEnvironment(service), { only: (question) => question === 'profile-names' });
    assert.equal(answerTo(run, 'updateProfile', 'profile-names'), answer);
  });

const stories: readonly string[] = [seeded.story, seeded.otherStory];
const types: readonly (readonly [what: string, refuse: (value: unknown) => void, answer: string | undefined])[] = [
  [
    'what is no text is refused, and so is a number',
    (value) => {
      if (typeof value !== 'string') throw new Refusal(400, 'no_text', 'a text is needed');
    },
    'refused with 400',
  ],
  [
    'a number is read as a text, and names nothing',
    (value) => {
      if (!['string', 'number'].includes(typeof value)) throw new Refusal(400, 'no_text', 'a text is needed');
    },
    'accepted as text',
  ],
  ['whatever names nothing is not found, a list too', () => {}, undefined],
];
for (const [what, refuse, answer] of types)
  test(`a value of another type, where ${what}: ${answer ?? 'undecided'}`, async () => {
    const validate: Fault['validate'] = (honest) => (entry, body) => {
      const { storyId } = body as { readonly storyId?: unknown };
      refuse(storyId);
      if (!stories.includes(String(storyId))) throw new Refusal(404, 'no_story', 'there is no such story');
      return honest(entry, body);
    };
    service.faults.set({ name: 'types', operation: 'love', validate });
    const only: Only = (question, id) => question === 'wrong-type:storyId' && id === 'love';
    const run = await surveyOf(embeddedEnvironment(service), { only });
    assert.equal(answerTo(run, 'love', 'wrong-type:storyId'), answer);
  });

/**
 * The expected answers about reports if the service accepts only one report of a story from each user, and a scenario has already sent this
 * report before the survey.
 */
const expected: readonly (readonly [question: string, answer: string])[] = [
  ['success-status', '201'],
  ['missing-header:Authorization', 'refused with 401'],
  ['wrong-header:Authorization', 'refused with 401'],
  ['malformed-json', 'refused with 400'],
  ['unknown-story', 'refused with 404'],
  ['required-field:message', 'required, else 400'],
  ['unknown-field', 'refused with 400'],
];

test('next to a valid request that is refused, another refusal is decided, and the same one is not', async () => {
  service.faults.set(...serviceReadings.reportAgain.refused.changes(''));
  const { provisionUrl: _, ...environment } = embeddedEnvironment(service);
  const options = { environment, seed: '1', runId: randomUUID() };
  const run = await surveyOf(environment, {
    ...options,
    preflight: await preflight(options),
    only: (question, id) => id === 'report' && expected.some(([known]) => known === question),
  });
  assert.deepEqual(
    expected.map(([question]) => [question, answerTo(run, 'report', question)]),
    expected,
  );
});
