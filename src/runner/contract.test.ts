import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Fault, faults } from '../../reference-service/index.ts';
import { Refusal } from '../../reference-service/refusal.ts';
import { loadContract } from '../config/contract/contract-of.ts';
import type { Environment } from '../config/index.ts';
import { operationIds } from '../spec/index.ts';
import { openApiDocument } from '../survey/index.ts';
import { folderWith } from '../testing/contract/contract-of-document.ts';
import { play } from '../testing/play.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { runScenario, scenarios } from './index.ts';

const service = await ownService();

const local = embeddedEnvironment(service);

const fault = (name: string) => faults.find((each) => each.name === name) ?? assert.fail(name);
const refuse = () => {
  throw new Refusal(400, 'INVALID', 'a reason is required');
};

interface Block {
  requestBody: { content: { 'application/json': { schema: object } } };
  responses: Record<
    string,
    { description: string; content?: { 'application/json': { schema: { properties: object } } } }
  >;
}

/** Local with its own document, in which `change` makes another operation of `block`, and `changeList` of `listBlockers`. */
function withDocument(
  change: (block: Block) => void = () => {},
  changeList: (list: Pick<Block, 'responses'>) => void = () => {},
): Environment {
  const document = JSON.parse(JSON.stringify(openApiDocument({ version: '1', environment: local })));
  change(document.paths['/v1/friends/block'].post);
  changeList(document.paths['/v1/friends/block/me/{n1}/{n2}'].get);
  const file = join(folderWith({ 'own.json': document }), 'own.json');
  return { ...local, contract: loadContract([file], local) };
}

const needsReason = ({ requestBody }: Block) => {
  requestBody.content['application/json'].schema = { required: ['friendId', 'reason'] };
};
const STORY = 'block, then list, then unblock';

test('the own document of the suite holds in every scenario', async () => {
  const environment = withDocument();
  assert.deepEqual([...(environment.contract?.operations.keys() ?? [])], [...operationIds, 'readProfile']);
  for (const { title } of await scenarios()) {
    const { verdict, reason, warnings = [] } = await play(title, environment);
    assert.ok(['passed', 'skipped'].includes(verdict), `${title}: ${verdict} ${reason}`);
    assert.deepEqual(warnings, [], title);
  }
});

test('a response that breaks the document has failed, by the grade specified', async () => {
  const environment = withDocument(({ responses }) => {
    const schema = responses[200]?.content?.['application/json'].schema ?? assert.fail();
    Object.assign(schema.properties, { friendId: { type: 'integer' } });
  });
  const { verdict, grade, reason, curl } = await play(STORY, environment);
  assert.deepEqual([verdict, grade], ['failed', 'specified']);
  assert.match(
    reason ?? '',
    /^specified: \S+own\.json describes this response of POST \/v1\/friends\/block — \/friendId is string, but integer is specified$/,
  );
  assert.match(curl ?? '', /v1\/friends\/block/);
});

test('a violation of the specification is more severe', async () => {
  service.faults.set(fault('block-not-written'));
  const environment = withDocument((block) => {
    block.responses = { 201: { description: 'made' } };
  });
  assert.equal((await play(STORY, environment)).grade, 'documented');
});

test('a request that the document forbids is a warning while it is accepted', async () => {
  const environment = withDocument(needsReason);
  const { verdict, warnings = [] } = await play(STORY, environment);
  assert.equal(verdict, 'passed');
  assert.match(
    warnings[0] ?? '',
    /^block: the request that was sent breaks \S+own\.json \(\/reason is missing\); correct the environment's test data, or the document$/,
  );
  assert.equal(warnings.length, 1, 'the same again is no news');
});

test('refused, such a request is not blamed on the service', async () => {
  service.faults.set({ name: 'needs-a-reason', operation: 'block', handle: () => () => refuse() });
  const environment = withDocument(needsReason);
  const { verdict, reason = '' } = await play(STORY, environment);
  assert.equal(verdict, 'unknown');
  assert.match(reason, /400.*the request that was sent breaks \S+own\.json \(\/reason is missing\)/);
});

test('a read may be answered without a body where the document lists that', async () => {
  service.faults.set({
    name: 'no content',
    operation: 'listBlockers',
    handle: () => () => ({ status: 204, body: undefined }),
  });
  const listed = withDocument(undefined, ({ responses }) => {
    responses[204] = { description: 'nobody has' };
  });
  const inDefault = withDocument();
  // What was learned of the service is otherwise.
  const alone = ({ observed: _, ...environment }: Environment): Environment => environment;
  const title = 'read-only round';
  assert.equal((await play(title, alone(listed))).verdict, 'passed');
  const { verdict, grade } = await play(title, alone(inDefault));
  assert.deepEqual([verdict, grade], ['failed', 'assumed'], 'a default is too little');
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
  for (const spec of specs) {
    const { verdict, reason } = await runScenario(spec, {
      environment: { ...local, drift: 'fail' },
      seed: '1',
      runId: 'invalid',
    });
    assert.equal(verdict, 'passed', `${spec.title}: ${reason}`);
  }
});
