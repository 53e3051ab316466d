import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mock, test } from 'node:test';
import type { Exchange } from '../../http/index.ts';
import { keepRunHere } from '../../scenario/index.ts';
import type { CallableId } from '../../service/index.ts';
import { fakeExchange, fakeResponse } from '../../testing/contract/fake-response.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { testEnvironment } from '../../testing/test-environment.ts';
import { Reachability } from './reachability.ts';

const environment = testEnvironment((await ownService()).addresses, { ALLOWED_EFFECTS: 'read,reversible' });
const refused = {
  failure: { side: 'service', phase: 'connect', code: 'ECONNREFUSED', reason: 'connection refused' },
} as const;

const late = {
  failure: { side: 'service', phase: 'processing', code: 'DEADLINE', reason: 'no response' },
} as const;

function call(operation: CallableId, ending: number | typeof refused | typeof late): Exchange {
  const response = typeof ending === 'number' ? { response: fakeResponse(ending, {}) } : ending;
  return fakeExchange({ operation, area: 'friends', ...response });
}

const all500 = (['listBlocked', 'listBlockers', 'block'] as const).map((id) => call(id, 500));
const rows: [title: string, tests: Exchange[][], isDown: boolean][] = [
  ['nothing was sent', [], false],
  ['three operations, both reads among them, are 500', [all500], true],
  [
    'one of its reads was never sent',
    [['listBlocked', 'block', 'unblock'].map((id) => call(id as CallableId, 500))],
    false,
  ],
  ['one of its reads works', [[...all500.slice(1), call('listBlocked', 200)]], false],
  ['a rejection is a response like any other', [all500, [call('block', 404)]], false],
  ['a limit of requests says nothing', [all500, [call('block', 429)]], true],
  ['it worked once and broke again', [[call('listBlocked', 200)], all500.map((each) => each)], true],
  ['no connection, once', [[call('block', refused)]], true],
  ['no response in time, once', [[call('block', late)]], false],
  ['no response in time, twice', [[call('block', late)], [call('block', late)]], true],
  [
    'no response in time, twice, though it responded before',
    [[call('listBlocked', 200)], [call('block', late)], [call('block', late)]],
    false,
  ],
];

function noted(tests: readonly (readonly Exchange[])[]): Reachability {
  const runId = randomUUID();
  keepRunHere(runId);
  const addresses = new Reachability(environment, runId);
  for (const exchanges of tests) addresses.note(exchanges);
  return addresses;
}

for (const [title, tests, isDown] of rows)
  test(`${title}: the address is ${isDown ? '' : 'not '}given up`, () => {
    const addresses = noted(tests);
    assert.equal(addresses.down(['friends'])?.name, isDown ? 'NotTried' : undefined);
    assert.equal(addresses.down(['stories']), undefined);
  });

test('one test tries an address that was given up every ten seconds, and a success ends it', (t) => {
  mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  t.after(() => mock.timers.reset());
  const addresses = noted([all500]);
  const isDown = () => assert.equal(addresses.down(['friends'])?.name, 'NotTried');
  mock.timers.tick(9_000);
  isDown();
  mock.timers.tick(2_000);
  assert.equal(addresses.down(['friends']), undefined);
  isDown();
  addresses.note([call('listBlocked', 200)]);
  assert.equal(addresses.down(['friends']), undefined);
});
