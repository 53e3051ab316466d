import assert from 'node:assert/strict';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { after, test } from 'node:test';
import { type Environment, loadEnvironment } from '../environment/index.ts';
import { noteItem } from '../scenario/data/stored-items.ts';
import { areaIds } from '../service/index.ts';
import { ownFolder } from '../testing/servers/own-service.ts';
import { startRawServer } from '../testing/servers/raw-server.ts';
import { describeDryRun, dryRun } from './dry-run.ts';

const folder = ownFolder();
Object.assign(process.env, { SEXTANT_OUTPUT: folder, SEXTANT_STATE: ownFolder() });
let connections = 0;
const listener = await startRawServer({
  onSocket: (socket) => {
    connections++;
    socket.destroy();
  },
});
after(() => listener.stop());

const at = (url: string) =>
  Object.fromEntries(areaIds.map((area) => [area, new URL(`${url}/${area}/`)])) as Environment['addresses'];
const here = `http://127.0.0.1:${listener.port}`;
const { provisionUrl: _, ...own } = loadEnvironment('local');
const environment: Environment = {
  ...own,
  name: 'dry',
  addresses: at(here),
  caller: { ...own.caller, userId: 'user-own', clientId: 'client-own' },
  friend: { userId: 'friend-own' },
  data: {
    otherUserIds: [],
    reportLanguages: [],
    storedItemIds: ['item/0', 'item/1'],
    itemsInFile: 2,
    reportLanguage: 'sw',
    storyId: 'story-own',
  },
  readProfile: { ...(own.readProfile as NonNullable<Environment['readProfile']>), path: '/v1/users/{userId}/card' },
  blockListSegments: { n1: '3', n2: '7' },
};

noteItem({ environment: { name: 'dry' }, runId: 'run' }, { id: 'item/0', state: 'deleted' });
const dryRunCalls = await dryRun(environment);
/** Files that are still open after their folder was removed; only Linux lists them. */
const open = existsSync('/proc/self/fd')
  ? readdirSync('/proc/self/fd').map((fd) => targetOf(`/proc/self/fd/${fd}`))
  : [];
const of = (title: string) => dryRunCalls.find((each) => each.title === title);

test('a dry run sends nothing to the environment, and leaves nothing behind', () => {
  assert.ok(dryRunCalls.some(({ requests }) => requests.length > 0));
  assert.equal(connections, 0);
  assert.deepEqual(readdirSync(folder), []);
  assert.deepEqual(
    open.filter((file) => file.includes('sextant-dry-run')),
    [],
  );
  assert.equal(process.env.SEXTANT_OUTPUT, folder);
});

test('it says method, address, effect and user of every request, in the environment’s own words', () => {
  assert.deepEqual(of('block, then list, then unblock')?.requests.slice(0, 2), [
    { method: 'GET', url: `${here}/friends/v1/friends/block/3/7`, effect: 'read', as: 'user-own' },
    { method: 'POST', url: `${here}/friends/v1/friends/block`, effect: 'reversible', as: 'user-own' },
  ]);
  const first = (title: string) => `${of(title)?.requests[0]?.method} ${of(title)?.requests[0]?.url}`;
  assert.equal(first('delete by id'), `DELETE ${here}/storage/v1/features/story/item%2F1`);
  assert.equal(first('fetch options, then report'), `GET ${here}/stories/v1/reports/opt/sw`);
  assert.equal(first('get friend profile, as configured'), `GET ${here}/profile/v1/users/friend-own/card`);
  assert.ok(
    dryRunCalls.every(({ endedEarly }) => endedEarly === undefined),
    JSON.stringify(dryRunCalls),
  );
});

test('it says what would be skipped, and why', async () => {
  assert.match(of('who blocked me')?.skipped ?? '', /needs a second user/);
  assert.match(of('clone type')?.skipped ?? '', /needs FROM_CLIENT_ID/);
  const readOnly = { ...environment, allowedEffects: new Set(['read'] as const) };
  const all = await dryRun(readOnly);
  const text = describeDryRun(readOnly, all);
  assert.ok(all.every(({ requests }) => requests.every(({ effect }) => effect === 'read')));
  assert.match(text, /love, then unlove: not allowed in dry: its effect is reversible, and ALLOWED_EFFECTS is read/);
  assert.match(text, /Nothing was sent\./);
});

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return 'closed meanwhile';
  }
}
