import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { assumptions } from '../../reference-service/assumptions/table.ts';
import type { Fault } from '../../reference-service/index.ts';
import { Refusal } from '../../reference-service/refusal.ts';
import type { Environment } from '../environment/index.ts';
import { Facts } from '../facts/index.ts';
import { Secret } from '../redaction/index.ts';
import { allScenarios, driftsOf, runScenario, type ScenarioResult, scenarios } from '../run/index.ts';
import { type AreaId, type OperationId, operation, operationIds } from '../service/index.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { embeddedEnvironment, type FactLine, factsOf, newItems } from '../testing/test-environment.ts';

/** The facts about the reference service. Another test checks that a survey finds them. */
const facts = new Facts(
  [...assumptions, { operations: ['readProfile'], question: 'unknown-user', answer: 'refused with 404' }].flatMap(
    ({ operations, question, answer }) =>
      operations.map((operation) => {
        return { operation, question, answer, evidence: 'a valid request twice: 204, then 404', askedAt: '2026-11-01' };
      }),
  ),
);

const service = await ownService();

/**
 * Plays the scenarios with these titles, and then the scenarios that check facts. Each scenario is a separate run, unless `runId` is given.
 */
async function hold(changes: Partial<Environment>, area?: AreaId, titles: readonly string[] = [], runId?: string) {
  const environment: Environment = { ...embeddedEnvironment(service), facts, drift: 'fail', ...changes };
  const named = (await allScenarios()).filter(({ title }) => titles.includes(title));
  const chosen = [...named, ...(await scenarios('facts'))];
  const results: ScenarioResult[] = [];
  for (const scenario of chosen.filter(({ details }) => !area || details.tag.includes(`@${area}`)))
    results.push(await runScenario(scenario, { environment, seed: '1', runId: runId ?? randomUUID() }));
  return results;
}

const verdictsOf = (results: readonly ScenarioResult[]) => [
  ...new Set(
    results.map(({ verdict, reason = '', warnings = [] }) => [`${verdict} ${reason}`, ...warnings].join('\n')),
  ),
];

function assertFewRequests(results: readonly ScenarioResult[]) {
  const requests = results.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  const by = Map.groupBy(
    results.flatMap(({ exchanges }) => exchanges),
    ({ operation }) => operation,
  );
  const each = [...by].map(([operation, sent]) => `${operation} ${sent.length}`).join(', ');
  assert.ok(requests <= facts.size, `${requests} requests for ${facts.size} facts: ${each}`);
}

test('facts hold on the service that they were found of', async () => {
  const results = await hold({});
  assert.deepEqual(verdictsOf(results), ['passed ']);
  assertFewRequests(results);
});

test("facts hold of users that are somebody's, and nothing is used up", async () => {
  const results = await hold({ provisionUrl: undefined } as unknown as Partial<Environment>);
  const named = 'sextantUnknown may stay in the profile, because no update removes a field';
  assert.deepEqual(verdictsOf(results), ['passed ', `passed \n${named}`]);
  assertFewRequests(results);
  const kept = results.flatMap(({ exchanges }) => exchanges);
  const lasting = kept.filter(
    ({ operation, response }) =>
      ['deleteItem', 'report', 'cloneType'].includes(operation) && response && response.status < 300,
  );
  assert.deepEqual(
    lasting.map(({ operation }) => operation),
    [],
  );
});

test('a deletion that takes another item each time drifts, though each one is accepted', async (t) => {
  const another: Fault['handle'] = (honest) => (visit) => {
    const items = visit.state.items.all({ owner: visit.userId }).map(({ itemId }) => itemId);
    const id = items.find((each) => each !== (visit.args as { readonly id: string }).id);
    return honest({ ...visit, args: { id } } as typeof visit);
  };
  service.faults.set({ name: 'x', operation: 'deleteItem', handle: another });
  t.after(() => service.faults.set());
  const storedItemIds = await newItems(service, 6);
  const { data } = embeddedEnvironment(service);
  const changes = { provisionUrl: undefined, data: { ...data, storedItemIds } };
  const results = await hold(changes as unknown as Partial<Environment>, 'storage', ['delete by id']);
  const [found] = results.filter(({ title }) => title === 'delete by id');
  assert.match(
    verdictsOf(found ? [found] : []).join(),
    /^drifted Storage: deleteItem accepts the same request a second time/,
  );
});

test('where the configured story is gone, the facts about reports are not drifted', async () => {
  const { data } = embeddedEnvironment(service);
  const changes = { provisionUrl: undefined, data: { ...data, storyId: 'story-gone' } };
  const results = await hold(changes as unknown as Partial<Environment>, 'stories', ['love, then unlove']);
  assert.deepEqual(
    results.filter(({ verdict }) => verdict === 'drifted').map(({ title, reason }) => [title, reason]),
    [],
  );
  const [failed] = results.filter(({ title }) => title === 'love, then unlove');
  assert.match(failed?.reason ?? '', /for STORY_ID=story-gone: the operation is broken, or the story no longer exists/);
});

/**
 * Checks facts while refusals with some statuses have another body, and returns the drift. There is no provisioner, so that the run makes
 * no permanent changes.
 */
async function otherShapes(t: TestContext, isOther: (status: number) => boolean, by = facts) {
  const respond: Fault['respond'] = () => (response) =>
    isOther(response.status) ? { ...response, body: '{"message": "no"}' } : response;
  service.faults.set({ name: 'other-errors', operation: 'all', respond });
  t.after(() => service.faults.set());
  const results = await hold({ provisionUrl: undefined, facts: by } as unknown as Partial<Environment>);
  return results.flatMap(driftsOf).flatMap(({ sentence, asked }) => asked.map(({ operation: id }) => [id, sentence]));
}

test('the shape of errors is held with the refusals of other facts', async (t) => {
  const other = await otherShapes(t, (status) => status >= 400);
  const says = (id: string) =>
    `${id} refuses with application/json {message} (it refused with application/json {error: `;
  assert.deepEqual(other.map(([id]) => id).sort(), [...operationIds].sort());
  for (const [id = '', sentence] of other) assert.match(sentence ?? '', new RegExp(RegExp.escape(says(id))));
});

test('an error that looks otherwise for what nobody has, or for the kind of mistake that a fact names, is no drift', async (t) => {
  assert.deepEqual(await otherShapes(t, (status) => status === 404), []);
  const [one, other] = ['application/json {error: {code, message, requestId}}', 'application/json {message}'];
  const answer = `missing header: ${one}; wrong header: ${one}; no credential: ${other}; malformed JSON: ${one}`;
  const byKind = [...facts].map((fact) => (fact.question === 'error-shape' ? { ...fact, answer } : fact));
  assert.deepEqual(await otherShapes(t, (status) => status === 401, new Facts(byKind)), []);
});

const loginPage: Fault = {
  name: 'login-page',
  operation: 'all',
  respond: () => () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html>Sign in' }),
};

test('no fact is judged from a login page', async (t) => {
  service.faults.set(loginPage);
  t.after(() => service.faults.set());
  for (const drift of ['fail', 'warn'] as const) {
    const verdicts = verdictsOf(await hold({ drift }));
    assert.ok(verdicts.length > 0);
    for (const verdict of verdicts)
      assert.match(verdict, /^unknown .*: 200 OK, although a fact says that it can be judged \(\S+ of \w+: .*\)$/);
  }
});

const refusing401: Fault = { name: 'revoked', operation: 'evaluate', arrive: () => () => ({ status: 401 }) };

test('where a credential is refused, the scenario fails as refused', async (t) => {
  const { caller } = embeddedEnvironment(service);
  const token = { provisionUrl: undefined, caller: { ...caller, accessToken: new Secret('not-the-token') } };
  const wrong = token as unknown as Partial<Environment>;
  const ofToken = await hold(wrong, 'friends');
  for (const verdict of verdictsOf(ofToken)) assert.match(verdict, /^refused .*(401|ACCESS_TOKEN is not accepted)/);
  const languages = new Facts([...facts].filter(({ question }) => /language/.test(question)));
  const ofLanguages = await hold({ ...wrong, facts: languages, drift: 'warn' }, 'stories');
  const read = ofLanguages.filter(({ verdict }) => verdict !== 'skipped');
  assert.match(verdictsOf(read).join(), /^refused [^\n]*(401|ACCESS_TOKEN is not accepted)[^\n]*$/);
  service.faults.set(refusing401);
  t.after(() => service.faults.set());
  const fallback = new Facts([...facts].filter(({ question }) => question === 'default-fallback'));
  for (const known of [facts, fallback])
    for (const verdict of verdictsOf(await hold({ facts: known }, 'features'))) assert.match(verdict, /^refused .*401/);
});

const byDefault = ['evaluate a flag with default', 'evaluate default-fallback: the default, unchanged'] as const;
const byHeader = [
  'listBlocked with mm-client-id missing is refused',
  'listBlocked missing-header:mm-client-id',
] as const;
const ofOwnScenario: readonly [
  what: string,
  title: string,
  fact: FactLine,
  isAsked: boolean,
  fault?: Partial<Fault>,
][] = [
  ['was played', ...byDefault, false],
  ['failed', ...byDefault, true, { handle: () => () => ({ status: 404 }) }],
  ['was played in another run', ...byDefault, true],
  ['saw the answer', byHeader[0], `${byHeader[1]}: refused with 400`, false],
  ['saw another answer', byHeader[0], `${byHeader[1]}: refused with 403`, true],
];
for (const [what, title, fact, isAsked, fault] of ofOwnScenario)
  test(`a fact whose own scenario ${what} is ${isAsked ? '' : 'not '}asked once more`, async (t) => {
    if (fault) service.faults.set({ name: 'x', operation: 'evaluate', ...fault } as Fault);
    t.after(() => service.faults.set());
    const runId = what.endsWith('another run') ? undefined : `own ${what}`;
    const { area } = operation(fact.split(' ')[0] as OperationId);
    const [own, ...others] = await hold({ facts: factsOf(fact) }, area, [title], runId);
    assert.equal(own?.title, title);
    assert.equal(others.flatMap(({ exchanges }) => exchanges).length > 0, isAsked, JSON.stringify(verdictsOf(others)));
  });

test('without facts they are skipped, and it is said how to get one', async () => {
  const results = await hold({ facts: undefined } as unknown as Partial<Environment>);
  assert.deepEqual(verdictsOf(results), ['skipped needs facts: npx sextant survey --env local']);
});

const refused = () => {
  throw new Refusal(422, 'too_long', 'too long');
};
const refusing = (isWrong: (body: Record<string, unknown>) => boolean): Partial<Fault> => ({
  validate: (honest) => (entry, body) => (isWrong(body as Record<string, unknown>) ? refused() : honest(entry, body)),
});
const shown = (change: (list: object[]) => object[]): Partial<Fault> => ({
  handle: (honest) => (visit) => {
    const reply = honest(visit);
    return { ...reply, body: change(reply.body as object[]) };
  },
});
const before1: Fault['handle'] = (honest) => (visit) => {
  const { n1, n2 } = visit.args as { n1: string; n2: string };
  return honest({ ...visit, args: { n1: String(Math.max(0, Number(n1) - 1)), n2 } } as typeof visit);
};
const inEnglish: Fault['handle'] = (honest) => (visit) =>
  honest({ ...visit, args: { language: 'en' } } as typeof visit);
const lostFlag: Fault['handle'] = (honest) => (visit) => {
  const { default: fallback } = visit.args as { readonly default: string };
  return { status: 200, body: { ...(honest(visit).body as object), value: fallback } };
};
const withoutFrench: Fault['handle'] = (honest) => (visit) =>
  (visit.args as { language: string }).language === 'fr' ? refused() : honest(visit);

const broken: readonly (readonly [id: OperationId, change: Partial<Fault>, reported: RegExp, titles?: string[]])[] = [
  [
    'deleteItem',
    { handle: () => () => ({ status: 204 }) },
    /^drifted Storage: deleteItem accepts the same request a second time \(it refused it with 404 on 1 Nov\)$/m,
    ['delete by id'],
  ],
  [
    'report',
    { handle: () => () => ({ status: 201, body: {} }) },
    /report accepts an invented code .*with 400 on[\s\S]*report accepts an invented story .*with 404 on/,
  ],
  [
    'listBlocked',
    { unchecked: ['mm-client-id'] },
    /listBlocked accepts a request without mm-client-id \(it refused it with 400 on/,
  ],
  [
    'listBlocked',
    shown((list) => list.toReversed()),
    /listBlocked no longer pages by offset.*: oldest first, not newest first \(it did on/,
  ],
  [
    'listBlockers',
    { handle: before1 },
    /listBlockers no longer pages by .*: unexpected entries at 1\/1: 1 instead of 1 \(it did on/,
  ],
  ['reportOptions', { handle: withoutFrench }, /reportOptions refuses the language fr with 422 \(it accepted it on/],
  [
    'reportOptions',
    shown((list) => [...list, { code: 'OTHER', label: 'other' }]),
    /reportOptions lists OTHER \(it did not on/,
  ],
  [
    'reportOptions',
    { handle: inEnglish },
    /reportOptions says the same in two languages \(it had words of its own in each on/,
  ],
  [
    'evaluate',
    { handle: lostFlag },
    /evaluate returns the default for FLAG_KEY, as if the flag were undefined \(it had a value of its own on/,
  ],
  [
    'updateProfile',
    refusing(({ gender }) => gender === -1),
    /updateProfile refuses gender -1 with 422 \(it accepted it on/,
  ],
];

for (const [id, change, reported, titles] of broken) {
  test(`drifted: ${reported}`, async (t) => {
    service.faults.set({ name: 'x', operation: id, ...change } as Fault);
    t.after(() => service.faults.set());
    const results = await hold({}, operation(id).area, titles);
    const drifted = results.filter(({ verdict }) => verdict === 'drifted');
    assert.ok(drifted.length > 0, JSON.stringify(verdictsOf(results)));
    for (const { grade } of drifted) assert.equal(grade, 'learned');
    assert.match(verdictsOf(drifted).join('\n'), reported);
    if (titles)
      assert.deepEqual(
        titles.filter((title) => !drifted.some((result) => result.title === title)),
        [],
      );
  });
}
