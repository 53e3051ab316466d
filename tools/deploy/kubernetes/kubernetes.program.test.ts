import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'dotenv';
import { missing } from '../programs.ts';
import { builtObjects, type KubernetesObject, problemsOf, roots, writtenObjects } from './objects.ts';

const skip = missing('kubectl');
const built = new Map<string, KubernetesObject[]>(skip ? [] : roots.map((root) => [root, builtObjects(root)]));
const all = () => [...built.values()].flat();
const kinds = (kind: string, objects: readonly KubernetesObject[] = all()) =>
  objects.filter((object) => object.kind === kind);

function podsOf(objects: readonly KubernetesObject[]) {
  return objects.flatMap(({ kind, spec }) => {
    if (kind === 'CronJob') return spec.jobTemplate.spec.template;
    return ['Deployment', 'StatefulSet'].includes(kind) ? spec.template : [];
  });
}

test('every object, as it is written and as it is built, is what the schemas of its kind want, without unknown fields', () => {
  const written = writtenObjects();
  assert.ok(written.length >= 15);
  for (const object of [...written, ...all()]) assert.deepEqual(problemsOf(object), []);
});

test('what is wrong with an object is named with its place', () => {
  const budget = writtenObjects().find(({ kind }) => kind === 'PodDisruptionBudget');
  assert.ok(budget);
  const { metadata, spec } = budget;
  const mistaken = (change: object) => problemsOf({ ...budget, ...change });
  const of = `PodDisruptionBudget ${metadata.name}`;
  assert.deepEqual(mistaken({ spec: { ...spec, minAvailible: 1 } }), [`${of}/spec: unknown field "minAvailible"`]);
  assert.deepEqual(mistaken({ spec: { ...spec, selector: 'x' } }), [`${of}/spec/selector: must be object`]);
  assert.deepEqual(mistaken({ apiVersion: 'policy/v1beta1' }), [
    `${of}/apiVersion: must be equal to constant "policy/v1"`,
  ]);
  assert.deepEqual(mistaken({ kind: 'Budget' }), [`Budget ${metadata.name}: no schema is groups.json#/$defs/Budget`]);
});

for (const root of roots)
  test(`${root} can be built, without two objects of a name, in its namespace`, { skip }, () => {
    const objects = built.get(root) ?? [];
    assert.ok(objects.length > 0);
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    assert.deepEqual(names, [...new Set(names)]);
    for (const { kind, metadata } of objects)
      if (kind !== 'Namespace') assert.equal(metadata.namespace, root.endsWith('/rules') ? 'monitoring' : 'sextant');
  });

test('every pod keeps to the profile `restricted`, which its namespace enforces, and cannot write its root', {
  skip,
}, () => {
  const pods = podsOf(all());
  assert.equal(pods.length, 9);
  for (const { spec } of pods) {
    const { containers, initContainers, volumes, hostNetwork, hostPID, hostIPC } = spec;
    assert.deepEqual([initContainers, hostNetwork, hostPID, hostIPC], Array(4).fill(undefined));
    const { runAsNonRoot, runAsUser, seccompProfile } = spec.securityContext;
    assert.deepEqual([runAsNonRoot, runAsUser, seccompProfile], [true, 10001, { type: 'RuntimeDefault' }]);
    for (const { securityContext, ports = [] } of containers) {
      // The security context of a container must have no other field, because its fields override those of the pod.
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      for (const { hostPort } of ports) assert.equal(hostPort, undefined);
    }
    const types = volumes.flatMap((volume: object) => Object.keys(volume).filter((key) => key !== 'name'));
    for (const type of types) assert.match(type, /^(configMap|emptyDir|persistentVolumeClaim|projected|secret)$/);
  }
  for (const { metadata } of kinds('Namespace'))
    assert.equal(metadata.labels?.['pod-security.kubernetes.io/enforce'], 'restricted');
});

test('images are pinned, resources bounded, no secret is in a file, and no pod has a token of the API server', {
  skip,
}, () => {
  assert.deepEqual(kinds('Secret'), []);
  for (const { spec } of podsOf(all())) {
    assert.equal(spec.automountServiceAccountToken, false);
    for (const { image, resources, env = [] } of spec.containers) {
      assert.match(image, /:\d+\.\d+\.\d+$/);
      assert.ok(resources.requests.cpu && resources.requests.memory && resources.limits.memory);
      assert.deepEqual(
        env.filter(({ name }: { name: string }) => /TOKEN|KEY|SECRET|PASSWORD/.test(name)),
        [],
      );
    }
  }
});

test('every selector fits the pods that it is meant for, and every mounted ConfigMap is there', { skip }, () => {
  for (const [root, objects] of built) {
    const pods = podsOf(objects);
    const fits = (labels: Readonly<Record<string, string>>) =>
      pods.filter(({ metadata }) => Object.entries(labels).every(([key, value]) => metadata.labels[key] === value));
    for (const { kind, metadata, spec } of objects) {
      const selector = kind === 'Service' ? spec.selector : (spec?.podSelector ?? spec?.selector)?.matchLabels;
      if (!selector) continue;
      const expected = ['NetworkPolicy', 'PodMonitor'].includes(kind) ? pods.length : 1;
      assert.equal(fits(selector).length, expected, `${root}: ${kind} ${metadata.name}`);
    }
    const maps = objects.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name);
    const mounted = pods.flatMap(({ spec }) =>
      spec.volumes.flatMap(({ projected }: { projected?: { sources: { configMap?: { name: string } }[] } }) =>
        (projected?.sources ?? []).flatMap(({ configMap }) => configMap?.name ?? []),
      ),
    );
    assert.deepEqual(mounted.sort(), maps.sort(), root);
  }
});

test('the network policy lets in scrapes alone, and out DNS and the addresses of the service', { skip }, () => {
  const policies = kinds('NetworkPolicy');
  assert.equal(policies.length, 5);
  for (const { spec } of policies) {
    assert.deepEqual(spec.policyTypes, ['Ingress', 'Egress']);
    assert.deepEqual(
      spec.ingress.map(({ ports }: { ports: { port: number }[] }) => ports.map(({ port }) => port)),
      [[9465]],
    );
    const ports = spec.egress.map((rule: { to?: unknown; ports: { port: number }[] }) => {
      assert.ok(rule.to, 'to everywhere');
      return rule.ports.map(({ port }) => port);
    });
    assert.deepEqual(ports, [[53, 53], [443]]);
  }
});

const locations = roots.filter((root) => /three-locations\/(?!rules)/.test(root));

const named = (objects: readonly KubernetesObject[], kind: string, name: string) =>
  kinds(kind, objects).find(({ metadata }) => metadata.name === name);

/** The environments of a role (readers or writers) in an overlay, with their settings. */
function environmentsIn(objects: readonly KubernetesObject[], role: string): Map<string, Record<string, string>> {
  const map = named(objects, 'ConfigMap', `sextant-${role}-environments`);
  return new Map(Object.entries(map?.data ?? {}).map(([file, text]) => [file.replace(/\.env$/, ''), parse(text)]));
}

for (const overlay of ['overlays/one-cluster', ...locations])
  test(`${overlay}: an environment is read by many or changed by one`, { skip }, () => {
    const objects = built.get(overlay) ?? [];
    const [readers, writers] = [environmentsIn(objects, 'readers'), environmentsIn(objects, 'writers')];
    assert.ok(readers.size > 0 && writers.size > 0);
    for (const [name, { ALLOWED_EFFECTS }] of readers) {
      assert.equal(ALLOWED_EFFECTS, 'read', name);
      assert.equal(writers.has(name), false, name);
    }
    // Only the readers are autoscaled: they have no volume, which several replicas would have to share.
    const scaled = kinds('HorizontalPodAutoscaler', objects);
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
    const objects = built.get(overlay) ?? [];
    for (const { spec } of kinds('ScrapeConfig', objects))
      assert.deepEqual(spec.relabelings[0], { targetLabel: 'location', replacement: overlay.split('/').at(-1) });
    const monitor = kinds('PodMonitor', objects)[0];
    assert.equal(monitor?.spec.podMetricsEndpoints[0].relabelings[0].replacement, overlay.split('/').at(-1));
    return [...environmentsIn(objects, 'writers').values()].flatMap(({ USER_ID, FRIEND_USER_ID }) => [
      USER_ID,
      FRIEND_USER_ID,
    ]);
  });
  assert.equal(users.length, 6);
  assert.equal(new Set(users).size, users.length);
});
