interface SecurityContext {
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly seccompProfile?: { readonly type: string };
  readonly allowPrivilegeEscalation?: boolean;
  readonly privileged?: boolean;
  readonly procMount?: string;
  readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  readonly readOnlyRootFilesystem?: boolean;
}

interface Container {
  readonly name: string;
  readonly securityContext?: SecurityContext;
  readonly ports?: readonly { readonly hostPort?: number }[];
}

export interface PodSpec {
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly securityContext?: SecurityContext;
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Readonly<Record<string, unknown>>[];
}

/** The volumes that the profile `restricted` allows. */
const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/**
 * What a pod has against the profile `restricted` of the Pod Security Standards, and against a read-only root, which the profile
 * doesn't ask for.
 */
export function violations(pod: PodSpec): string[] {
  const { securityContext: ofPod = {}, containers, initContainers = [], volumes = [] } = pod;
  return [
    ...(pod.hostNetwork || pod.hostPID || pod.hostIPC ? ['shares a namespace with its host'] : []),
    ...volumes.flatMap((volume) => {
      const type = Object.keys(volume).find((key) => key !== 'name') ?? 'emptyDir';
      return VOLUMES.includes(type) ? [] : [`has a volume of the type ${type}`];
    }),
    ...[...containers, ...initContainers].flatMap(({ name, securityContext: own = {}, ports = [] }) => {
      const context = { ...ofPod, ...own };
      return [
        [context.runAsNonRoot !== true, 'runAsNonRoot is not true'],
        [context.runAsUser === 0, 'runAsUser is 0'],
        [!['RuntimeDefault', 'Localhost'].includes(context.seccompProfile?.type ?? ''), 'has no seccompProfile'],
        [own.allowPrivilegeEscalation !== false, 'allowPrivilegeEscalation is not false'],
        [own.privileged === true, 'is privileged'],
        [(own.procMount ?? 'Default') !== 'Default', 'has another procMount'],
        [!own.capabilities?.drop?.includes('ALL'), 'does not drop ALL capabilities'],
        [(own.capabilities?.add ?? []).some((each) => each !== 'NET_BIND_SERVICE'), 'adds capabilities'],
        [ports.some(({ hostPort }) => hostPort), 'has a port of its host'],
        [own.readOnlyRootFilesystem !== true, 'can write its root file system'],
      ].flatMap(([broken, text]) => (broken ? [`${name} ${text}`] : []));
    }),
  ];
}
