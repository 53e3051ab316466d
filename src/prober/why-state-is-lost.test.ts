import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyStateIsLost } from './why-state-is-lost.ts';

const overlayRoot = '1 0 0:50 / / rw,relatime - overlay overlay rw,lowerdir=/a,upperdir=/b';
const disk = '1 0 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw';
const emptyDir = '/var/lib/kubelet/pods/1b/volumes/kubernetes.io~empty-dir/state';

const rows: [title: string, mounts: string[], folder: string, why: RegExp | undefined][] = [
  ['a machine', [disk], '/srv/sextant/.sextant', undefined],
  ['a container without a volume', [overlayRoot], '/data/state', /inside the container/],
  ['a container with a volume', [overlayRoot, '2 1 254:0 /vol /data rw - ext4 /dev/vda rw'], '/data/state', undefined],
  ['the volume itself', [overlayRoot, '2 1 254:0 /vol /data rw - ext4 /dev/vda rw'], '/data', undefined],
  [
    'a volume beside it',
    [overlayRoot, '2 1 254:0 /vol /dat rw - ext4 /dev/vda rw'],
    '/data/state',
    /inside the container/,
  ],
  ['memory', [disk, '2 1 0:30 / /tmp rw - tmpfs tmpfs rw'], '/tmp/x', /in memory \(tmpfs\)/],
  [
    'a disk mounted over memory',
    [disk, '2 1 0:30 / /a rw - tmpfs t rw', '3 2 254:1 / /a rw - xfs /dev/vdb rw'],
    '/a',
    undefined,
  ],
  ['an emptyDir', [overlayRoot, `2 1 254:0 ${emptyDir} /data rw - ext4 /dev/vda rw`], '/data/state', /emptyDir/],
  ['a blank in the path', [disk, '2 1 0:30 / /my\\040state rw - tmpfs tmpfs rw'], '/my state/x', /in memory/],
  ['another overlay than the root', [disk, '2 1 0:30 / /merged rw - overlay overlay rw'], '/merged/x', undefined],
  ['no such file', [''], '/data', undefined],
];

for (const [title, mounts, folder, why] of rows)
  test(`${title}: ${folder} ${why ? `is lost, ${why.source}` : 'stays'}`, () => {
    const found = whyStateIsLost(mounts.join('\n'), folder);
    if (why) assert.match(found ?? '', why);
    else assert.equal(found, undefined);
  });
