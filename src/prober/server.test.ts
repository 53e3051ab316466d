import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { type Scenario, scenarios } from '../run/index.ts';
import { slugOf } from '../server/index.ts';
import { scenarioOf } from '../testing/made-scenario.ts';
import { Modules } from './modules.ts';
import { LONGEST_MS, originProblem, timeLimitMs } from './server.ts';
import { whyStateIsLost } from './why-state-is-lost.ts';

const scenario = (title: string, ...tag: string[]): Scenario => ({
  ...scenarioOf(title, async () => {}),
  details: { tag },
});

const slugs: [title: string, slug: string][] = [
  ['block, then list, then unblock', 'block-then-list-then-unblock'],
  ['  Two users’ lists  ', 'two-users-lists'],
  ['Über-Größe & "x"', 'u-ber-gro-e-x'],
  ['…', 'scenario'],
  ['愛', 'scenario'],
];
for (const [title, slug] of slugs) test(`${JSON.stringify(title)} is ${slug}`, () => assert.equal(slugOf(title), slug));

const modules = new Modules([
  scenario('one', '@friends', '@read'),
  scenario('One!', '@stories', '@read'),
  scenario('friends', '@friends', '@reversible'),
  scenario('all', '@all', '@read'),
]);

test('no two scenarios have one name, and none has that of an area', () => {
  assert.equal(modules.scenarios.map(({ slug }) => slug).join(), 'one,one-2,friends-2,all-2');
});

const finds: [module: string, titles: string[] | undefined][] = [
  ['all', ['one', 'One!', 'friends', 'all']],
  ['friends', ['one', 'friends']],
  ['stories', ['One!']],
  ['one-2', ['One!']],
  ['storage', undefined],
  ['One!', ['One!']],
  ['Two!', undefined],
  ['constructor', undefined],
  ['', undefined],
];
for (const [module, titles] of finds)
  test(`module ${JSON.stringify(module)} is ${titles?.join(', ') ?? 'unknown'}`, () => {
    const found = modules.find(module)?.map(({ scenario: { title } }) => title);
    assert.deepEqual(found, titles);
  });

test('every shipped scenario keeps the name that its title gives', async () => {
  for (const { slug, scenario } of new Modules(await scenarios()).scenarios) assert.equal(slug, slugOf(scenario.title));
});

const rows: [header: string | undefined, limitMs: number][] = [
  ['10', 9_500],
  ['10.000000', 9_500],
  [' 2.5 ', 2_000],
  // The limit is the timeout minus 500 ms, but at least half of the timeout.
  ['0.8', 400],
  ['0.5', 250],
  ['0.001', 0.5],
  [undefined, LONGEST_MS],
  ['', LONGEST_MS],
  ['0', LONGEST_MS],
  ['-3', LONGEST_MS],
  ['1e3', LONGEST_MS],
  ['0x10', LONGEST_MS],
  ['NaN', LONGEST_MS],
  ['Infinity', LONGEST_MS],
  ['10, 20', LONGEST_MS],
  ['ten', LONGEST_MS],
  ['999999999', LONGEST_MS - 500],
  ['9999999999', LONGEST_MS],
];

for (const [header, limitMs] of rows)
  test(`a scrape timeout of ${header === undefined ? 'no header' : JSON.stringify(header)} leaves ${limitMs} ms`, () => {
    assert.equal(timeLimitMs(header, 500), limitMs);
  });

const named = ['sextant-prober.monitoring.svc'];
const askers: [
  title: string,
  headers: IncomingHttpHeaders,
  listening: string,
  isForeign: boolean,
  hosts?: readonly string[],
][] = [
  ['Prometheus on this machine', { host: '127.0.0.1:9465' }, '127.0.0.1', false],
  ['localhost', { host: 'localhost:9465' }, '127.0.0.1', false],
  ['IPv6', { host: '[::1]:9465' }, '::1', false],
  ['a rebound name', { host: 'evil.test:9465' }, '127.0.0.1', true],
  ['no host', {}, '127.0.0.1', true],
  ['a service of a cluster', { host: 'sextant-prober.monitoring.svc:9465' }, '0.0.0.0', false],
  ['a name that it is given', { host: 'SEXTANT-prober.monitoring.svc:9465' }, '0.0.0.0', false, named],
  ['the same on this machine', { host: 'sextant-prober.monitoring.svc' }, '127.0.0.1', false, named],
  ['an address beside names', { host: '10.0.0.7:9465' }, '0.0.0.0', false, named],
  ['an address of IPv6 beside names', { host: '[fd00::7]:9465' }, '0.0.0.0', false, named],
  ['localhost beside names', { host: 'localhost:9465' }, '0.0.0.0', false, named],
  ['a rebound name beside names', { host: 'evil.test:9465' }, '0.0.0.0', true, named],
  ['a name within a name', { host: 'sextant-prober.monitoring.svc.evil.test' }, '10.0.0.7', true, named],
  ['the address bar of a browser', { host: 'localhost:9465', 'sec-fetch-site': 'none' }, '127.0.0.1', false],
  ['a page of another site', { host: 'localhost:9465', 'sec-fetch-site': 'cross-site' }, '127.0.0.1', true],
  ['a page of another port', { host: 'localhost:9465', 'sec-fetch-site': 'same-site' }, '127.0.0.1', true],
  ['a page in a cluster', { host: '10.0.0.7:9465', 'sec-fetch-site': 'cross-site' }, '0.0.0.0', true],
];

for (const [title, headers, listening, isForeign, hosts] of askers)
  test(`${title} is ${isForeign ? 'refused' : 'answered'}`, () => {
    assert.equal(originProblem(headers, listening, hosts) !== undefined, isForeign);
  });

const overlayRoot = '1 0 0:50 / / rw,relatime - overlay overlay rw,lowerdir=/a,upperdir=/b';
const disk = '1 0 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw';
const volume = '2 1 254:0 /vol /data rw - ext4 /dev/vda rw';
const emptyDir = '/var/lib/kubelet/pods/1b/volumes/kubernetes.io~empty-dir/state';

const placesOfState: [title: string, mounts: string[], folder: string, why: RegExp | undefined][] = [
  ['a machine', [disk], '/srv/sextant/.sextant', undefined],
  ['a container without a volume', [overlayRoot], '/data/state', /inside the container/],
  ['a container with a volume', [overlayRoot, volume], '/data/state', undefined],
  ['the volume itself', [overlayRoot, volume], '/data', undefined],
  ['a volume beside it', [overlayRoot, volume.replace('/data', '/dat')], '/data/state', /inside the container/],
  ['memory', [disk, '2 1 0:30 / /tmp rw - tmpfs tmpfs rw'], '/tmp/x', /in memory \(tmpfs\)/],
  ['a disk over memory', [disk, '2 1 0:30 / /data rw - tmpfs t rw', volume], '/data', undefined],
  ['an emptyDir', [overlayRoot, `2 1 254:0 ${emptyDir} /data rw - ext4 /dev/vda rw`], '/data/state', /emptyDir/],
  ['a blank in the path', [disk, '2 1 0:30 / /my\\040state rw - tmpfs tmpfs rw'], '/my state/x', /in memory/],
  ['another overlay than the root', [disk, '2 1 0:30 / /merged rw - overlay overlay rw'], '/merged/x', undefined],
  ['no such file', [''], '/data', undefined],
];

for (const [title, mounts, folder, why] of placesOfState)
  test(`${title}: ${folder} ${why ? `is lost, ${why.source}` : 'stays'}`, () => {
    const found = whyStateIsLost(mounts.join('\n'), folder);
    if (why) assert.match(found ?? '', why);
    else assert.equal(found, undefined);
  });
