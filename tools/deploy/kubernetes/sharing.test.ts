import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'dotenv';
import { missing } from '../programs.ts';
import { builtObjects, type KubernetesObject } from './objects.ts';

const skip = missing('kubectl');
const locations = ['fra', 'iad', 'sin'].map((name) => `overlays/three-locations/${name}`);
const overlays = ['overlays/one-cluster', ...locations];

const named = (objects: readonly KubernetesObject[], kind: string, name: string) =>
  objects.find((object) => object.kind === kind && object.metadata.name === name);

/** The environments of a role in an overlay, with their values. */
function environmentsIn(objects: readonly KubernetesObject[], role: string): Map<string, Record<string, string>> {
  const map = named(objects, 'ConfigMap', `sextant-${role}-environments`);
  return new Map(Object.entries(map?.data ?? {}).map(([file, text]) => [file.replace(/\.env$/, ''), parse(text)]));
}

for (const overlay of overlays)
  test(`${overlay}: an environment is read by many or changed by one`, { skip }, () => {
    const objects = builtObjects(overlay);
    const [readers, writers] = [environmentsIn(objects, 'readers'), environmentsIn(objects, 'writers')];
    assert.ok(readers.size > 0 && writers.size > 0);
    for (const [name, { ALLOWED_EFFECTS }] of readers) {
      assert.equal(ALLOWED_EFFECTS, 'read', name);
      assert.equal(writers.has(name), false, name);
    }
    // Only what can be many is autoscaled, and has no volume that a second replica would have to share.
    const scaled = objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
    assert.deepEqual(
      scaled.map(({ spec }) => spec.scaleTargetRef.name),
      ['sextant-readers'],
    );
    assert.equal(named(objects, 'Deployment', 'sextant-readers')?.spec.replicas, undefined);
    const claims = named(objects, 'StatefulSet', 'sextant-writers')?.spec.volumeClaimTemplates;
    assert.deepEqual(
      claims.map(({ metadata }: KubernetesObject) => metadata.name),
      ['data'],
    );
  });

test('the locations differ in their label, and no two of them change anything as the same user', { skip }, () => {
  const users = locations.flatMap((overlay) => {
    const objects = builtObjects(overlay);
    for (const { spec } of objects.filter(({ kind }) => kind === 'ScrapeConfig'))
      assert.deepEqual(spec.relabelings[0], { targetLabel: 'location', replacement: overlay.split('/').at(-1) });
    const monitor = objects.find(({ kind }) => kind === 'PodMonitor');
    assert.equal(monitor?.spec.podMetricsEndpoints[0].relabelings[0].replacement, overlay.split('/').at(-1));
    return [...environmentsIn(objects, 'writers').values()].flatMap(({ USER_ID, FRIEND_USER_ID }) => [
      USER_ID,
      FRIEND_USER_ID,
    ]);
  });
  assert.equal(users.length, 6);
  assert.equal(new Set(users).size, users.length);
});
