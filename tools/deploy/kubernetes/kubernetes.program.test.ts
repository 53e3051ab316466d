import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missing } from '../programs.ts';
import { builtObjects, type KubernetesObject, roots, writtenObjects } from './objects.ts';
import { invalidIn, unknownFieldsIn } from './schemas.ts';

const skip = missing('kubectl');
const built = new Map<string, KubernetesObject[]>(skip ? [] : roots.map((root) => [root, builtObjects(root)]));
const all = () => [...built.values()].flat();
const kinds = (kind: string, objects = all()) => objects.filter((object) => object.kind === kind);

/** The pods that an object makes, if it makes any. */
function podOf({ kind, spec }: KubernetesObject) {
  if (kind === 'CronJob') return spec.jobTemplate.spec.template;
  return ['Deployment', 'StatefulSet'].includes(kind) ? spec.template : undefined;
}

test('every file is what the schemas of its kind want, without unknown fields', async () => {
  const objects = writtenObjects();
  assert.ok(objects.length >= 15);
  for (const object of objects) assert.equal(await invalidIn(object), undefined);
  assert.equal(unknownFieldsIn(objects), '');
});

test('the schemas notice a wrong value, and the types an unknown field', async () => {
  const [rule] = writtenObjects().filter(({ kind }) => kind === 'PodDisruptionBudget');
  assert.ok(rule);
  assert.match((await invalidIn({ ...rule, spec: { ...rule.spec, selector: 'x' } })) ?? '', /selector/);
  assert.match(unknownFieldsIn([{ ...rule, spec: { ...rule.spec, minAvailible: 1 } }]), /minAvailible/);
});

for (const root of roots)
  test(`${root} can be built, and what it builds is valid`, { skip }, async () => {
    const objects = built.get(root) ?? [];
    assert.ok(objects.length > 0);
    for (const object of objects) assert.equal(await invalidIn(object), undefined);
    assert.equal(unknownFieldsIn(objects), '');
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    assert.deepEqual(names, [...new Set(names)]);
    for (const { kind, metadata } of objects)
      if (kind !== 'Namespace') assert.equal(metadata.namespace, root.endsWith('/rules') ? 'monitoring' : 'sextant');
  });

test('every pod keeps to the profile `restricted`, which its namespace enforces, and cannot write its root', {
  skip,
}, () => {
  const pods = all().flatMap((object) => podOf(object) ?? []);
  assert.equal(pods.length, 9);
  for (const { spec } of pods) {
    const { containers, initContainers, volumes, hostNetwork, hostPID, hostIPC } = spec;
    assert.deepEqual([initContainers, hostNetwork, hostPID, hostIPC], Array(4).fill(undefined));
    const { runAsNonRoot, runAsUser, seccompProfile } = spec.securityContext;
    assert.deepEqual([runAsNonRoot, runAsUser, seccompProfile], [true, 10001, { type: 'RuntimeDefault' }]);
    for (const { securityContext, ports = [] } of containers) {
      // Exactly this: any other field could take back what the pod has.
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
  for (const { spec } of all().flatMap((object) => podOf(object) ?? [])) {
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
    const pods = objects.flatMap((object) => podOf(object) ?? []);
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
