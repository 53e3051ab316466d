import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Exchange } from '../http/index.ts';
import { type CallableId, callable } from '../service/index.ts';
import { fakeExchange, fakeResponse } from '../testing/contract/fake-response.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { testEnvironment } from '../testing/test-environment.ts';
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
  return fakeExchange({ operation, area: callable(operation).area, ...response });
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
  const addresses = new Reachability(environment);
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

const shared = { ...environment, addresses: { ...environment.addresses, stories: environment.addresses.friends } };
const silences: [title: string, tests: Exchange[][], friends: boolean, stories: boolean][] = [
  ['nothing was sent', [], false, false],
  ['one call of an area had no response', [[call('block', late)]], true, false],
  ['a later call had one', [[call('block', late)], [call('listBlocked', 200)]], false, false],
  ['a later call was limited', [[call('block', late)], [call('listBlocked', 429)]], false, false],
  ['a later call of another area had one', [[call('block', late)], [call('love', 200)]], true, false],
  ['the address refuses connections', [[call('block', refused)]], true, true],
  ['another area of the address responded since', [[call('block', refused)], [call('love', 500)]], false, false],
  ['the last call of one operation counts', [[call('block', late), call('block', 200)]], false, false],
];
for (const [title, tests, ...expected] of silences)
  test(`${title}: an undo is ${expected.map((isSilent) => (isSilent ? 'not tried' : 'tried')).join(' and ')}`, () => {
    const reach = new Reachability(shared);
    for (const exchanges of tests) reach.note(exchanges);
    assert.deepEqual([reach.isSilent('friends'), reach.isSilent('stories')], expected);
  });

test('an undo that had no response keeps no scenario from its whole time', () => {
  const reach = new Reachability(environment);
  reach.note([call('unblock', late)], true);
  assert.deepEqual([reach.isSilent('friends'), reach.doubt(['friends'])], [true, undefined]);
});

test('the next run of a process waits briefly for 90 s, and asks by itself', (t) => {
  mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  t.after(() => mock.timers.reset());
  const process = Reachability.ofProcess(environment);
  const isDoubted = () => process.next().doubt(['friends']) !== undefined;
  process.next().note([call('block', late)]);
  process.next().note([call('unblock', late)]);
  assert.deepEqual([process.next().down(['friends']), isDoubted()], [undefined, true]);
  mock.timers.tick(91_000);
  assert.equal(isDoubted(), false);
  process.next().note([call('block', late)]);
  process.next().note([call('listBlocked', 200)]);
  assert.equal(isDoubted(), false);
  process.next().note([call('block', refused)]);
  assert.equal(isDoubted(), false, 'a refused connection keeps nobody waiting');
});
