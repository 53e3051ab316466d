import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PodSpec, violations } from './pod-security.ts';

const own = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true };
const container = { name: 'prober', securityContext: own };
const good: PodSpec = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [container],
  volumes: [{ name: 'data', emptyDir: {} }],
};

const withOwn = (changed: object): PodSpec => ({
  ...good,
  containers: [{ ...container, securityContext: { ...own, ...changed } }],
});

for (const [pod, found] of [
  [good, []],
  [{ ...good, hostNetwork: true }, ['shares a namespace with its host']],
  [{ ...good, volumes: [{ name: 'host', hostPath: { path: '/' } }] }, ['has a volume of the type hostPath']],
  [{ ...good, securityContext: {} }, ['prober runAsNonRoot is not true', 'prober has no seccompProfile']],
  [withOwn({ runAsUser: 0 }), ['prober runAsUser is 0']],
  [withOwn({ runAsNonRoot: false }), ['prober runAsNonRoot is not true']],
  [withOwn({ allowPrivilegeEscalation: true }), ['prober allowPrivilegeEscalation is not false']],
  [withOwn({ privileged: true }), ['prober is privileged']],
  [withOwn({ procMount: 'Unmasked' }), ['prober has another procMount']],
  [withOwn({ capabilities: { drop: ['NET_RAW'] } }), ['prober does not drop ALL capabilities']],
  [withOwn({ capabilities: { drop: ['ALL'], add: ['SYS_ADMIN'] } }), ['prober adds capabilities']],
  [withOwn({ readOnlyRootFilesystem: false }), ['prober can write its root file system']],
  [{ ...good, containers: [{ ...container, ports: [{ hostPort: 80 }] }] }, ['prober has a port of its host']],
  [
    { ...good, initContainers: [{ name: 'first' }] },
    [
      'first allowPrivilegeEscalation is not false',
      'first does not drop ALL capabilities',
      'first can write its root file system',
    ],
  ],
] as const satisfies readonly (readonly [PodSpec, readonly string[]])[])
  test(`a pod that ${found.join(', ') || 'keeps to the profile'}`, () => {
    assert.deepEqual(violations(pod), found);
  });
