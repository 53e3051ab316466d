import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ScenarioBody } from '../../../fixtures/index.ts';
import { type Fault, faults } from '../../../reference-service/index.ts';
import { loadContract } from '../../environment/contract/contract-of.ts';
import type { Environment } from '../../environment/index.ts';
import { gravest, operation, operationIds, readProfile } from '../../service/index.ts';
import { openApiDocument } from '../../survey/index.ts';
import { folderWith } from '../../testing/contract/contract-of-document.ts';
import { scenarioOf } from '../../testing/made-scenario.ts';
import { play, resultText } from '../../testing/play.ts';
import { answers } from '../../testing/safety-bench.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { embeddedEnvironment } from '../../testing/test-environment.ts';
import { runAll, runScenario, scenarios } from '../index.ts';

const service = await ownService();
const local = embeddedEnvironment(service);

interface Described {
  requestBody: { content: { 'application/json': { schema: object } } };
  responses: Record<
    string,
    { description: string; content?: { 'application/json': { schema: { properties: object } } } }
  >;
}

/** The environment `local` with the suite's own OpenAPI document, edited by `change`. */
function withDocument(change: (block: Described, listBlockers: Described) => void = () => {}): Environment {
  const document = JSON.parse(JSON.stringify(openApiDocument({ version: '1', environment: local })));
  const { '/v1/friends/block': block, '/v1/friends/block/me/{n1}/{n2}': list } = document.paths;
  change(block.post, list.get);
  const file = join(folderWith({ 'own.json': document }), 'own.json');
  return { ...local, contract: loadContract([file], local) };
}

const underContract = withDocument();
const results = await runAll(await scenarios(), { environment: underContract, seed: 'coverage', runId: 'coverage' });

test('every scenario passes on the reference service, and the own document of the suite holds in it', () => {
  assert.deepEqual([...(underContract.contract?.operations.keys() ?? [])], [...operationIds, 'readProfile']);
  for (const result of results) assert.equal(resultText(result), 'passed', result.title);
});

test('every row of the catalogue is exercised by a scenario', () => {
  const called = new Set<string>(results.flatMap(({ exchanges }) => exchanges.map((each) => each.operation)));
  const uncovered = [...operationIds, readProfile.id].filter((id) => !called.has(id));
  assert.deepEqual(uncovered, [], 'no scenario calls these: add one to tests/scenarios/');
});

for (const { title, effect, area, exchanges } of results)
  test(`"${title}" is tagged with what it does: @${area} @${effect}`, () => {
    const called = exchanges.map((each) =>
      each.operation === readProfile.id ? readProfile : operation(each.operation),
    );
    assert.equal(effect, gravest(called.map((entry) => entry.effect)));
    if (area !== 'all') assert.deepEqual([...new Set(called.map((entry) => entry.area))], [area]);
  });

const STORY = 'block, then list, then unblock';
const ROUND = 'read-only round';
const needsReason = withDocument(({ requestBody }) => {
  requestBody.content['application/json'].schema = { required: ['friendId', 'reason'] };
});
const otherId = withDocument(({ responses }) =>
  Object.assign(responses[200]?.content?.['application/json'].schema.properties ?? assert.fail(), {
    friendId: { type: 'integer' },
  }),
);
const madeAlone = withDocument((block) => {
  block.responses = { 201: { description: 'made' } };
});
const listsNobody = withDocument((_, { responses }) => {
  responses[204] = { description: 'nobody has' };
});
const notWritten = faults.filter(({ name }) => name === 'block-not-written');
const noContent: Fault = { ...answers('listBlockers', 204), handle: () => () => ({ status: 204, body: undefined }) };
/** An environment without its observed responses, because the faults in these rows contradict them. */
const unlearned = ({ observed: _, ...environment }: Environment): Environment => environment;

const rows: [name: string, faults: Fault[], environment: Environment, title: string, says: RegExp][] = [
  [
    'a response that breaks the document has failed, by the grade specified',
    [],
    otherId,
    STORY,
    /^failed · specified · block · \S+own\.json describes this response of POST \/v1\/friends\/block — \/friendId is string, but integer is specified$/,
  ],
  ['a violation of the specification is more severe', notWritten, madeAlone, STORY, /^failed · documented /],
  [
    'a request that the document forbids is a warning while it is accepted, and the same again is no news',
    [],
    needsReason,
    STORY,
    /^passed · block: the request that was sent breaks \S+own\.json \(\/reason is missing\); correct the environment's test data, or the document$/,
  ],
  [
    'refused, such a request is not blamed on the service',
    [answers('block', 400)],
    needsReason,
    STORY,
    /^unknown · .*400.*the request that was sent breaks \S+own\.json \(\/reason is missing\)/,
  ],
  [
    'a read may be answered without a body where that is listed',
    [noContent],
    unlearned(listsNobody),
    ROUND,
    /^passed$/,
  ],
  [
    'a default is too little for that',
    [noContent],
    unlearned(underContract),
    ROUND,
    /^failed · specified · .*status 204, but /,
  ],
];

for (const [name, given, environment, title, says] of rows)
  test(name, async () => {
    service.faults.set(...given);
    assert.match(resultText(await play(title, environment)), says);
  });

/**
 * A scenario that is skipped halfway: the suite doesn't send the update, because the service doesn't show the profile that would have to be
 * restored.
 */
const leftOut =
  (...cleanUp: ('isRefused' | 'succeeds')[]): ScenarioBody =>
  async ({ friends, friend, defer, profile, data }) => {
    await friends.block({ friendId: friend.id }).succeeds();
    for (const outcome of cleanUp) defer(() => friends.unblock({ friendId: friend.id })[outcome]());
    friends.listBlocked();
    await profile.updateProfile(data.profile()).succeeds();
  };
const leftOuts: [what: string, environment: Environment, cleanUp: Parameters<typeof leftOut>, says: RegExp][] = [
  ['nothing', underContract, [], /^skipped · updateProfile was not sent: [^·]*$/],
  ['the document', otherId, ['succeeds'], /^failed · specified · block · [^·]*$/],
  ['its clean-up', underContract, ['isRefused', 'succeeds'], /^failed · assumed · unblock · in clean-up: [^·]*$/],
  [
    'all of it',
    otherId,
    ['isRefused', 'isRefused'],
    /^failed · assumed · unblock · in clean-up: [^·]* · clean-up failed: [^·]* · [^·]*own\.json[^·]*$/,
  ],
];
for (const [what, { provisionUrl: _, ...environment }, cleanUp, says] of leftOuts)
  test(`a scenario that is left out in its middle says what it broke until then: ${what}`, async () => {
    service.faults.set(answers('readProfile', 200, {}));
    const scenario = scenarioOf('left out', leftOut(...cleanUp), '@all', '@overwriting', '@restorable');
    const allowing = { ...environment, allowedEffects: new Set(['read', 'reversible'] as const) };
    const options = { environment: allowing, seed: '1', runId: what };
    assert.match(resultText(await runScenario(scenario, options)), says);
  });

const takesAndRepeatsAll: Fault = {
  name: 'takes-and-repeats-all',
  operation: 'updateProfile',
  validate: () => (_, body) => (typeof body === 'object' && body ? { includes: '', ...body } : { includes: '' }),
  handle:
    () =>
    ({ userId, args }) => ({ status: 200, body: { ...(args as object), userId } }),
};

test('a response that repeats invalid input is not held to what valid requests get', async () => {
  service.faults.set(takesAndRepeatsAll);
  const specs = (await scenarios('robustness')).filter(({ title }) => title.startsWith('updateProfile handles'));
  assert.ok(specs.length > 0);
  const run = { environment: { ...local, drift: 'fail' } as const, seed: '1', runId: 'invalid' };
  for (const result of await runAll(specs, run)) assert.match(resultText(result), /^passed/, result.title);
});
