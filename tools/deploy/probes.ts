import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse as parseEnvironment } from 'dotenv';
import { parse, stringify } from 'yaml';
import { projectRoot } from '../../src/config/project-root.ts';
import type { Modules } from '../../src/prober/modules.ts';

const PORT = 9465;

type Role = 'readers' | 'writers';

/** The `Probe`s of an overlay: one for each role, with a target for each scenario that an environment allows. */
export function probes(overlay: string, { scenarios }: Modules): string {
  const documents = (['readers', 'writers'] as const).map((role) => {
    const targets = environmentsOf(overlay, role).flatMap((environment) =>
      scenarios
        .filter(({ effect }) => environment.effects.includes(effect))
        .map(({ area, effect, slug }) => `${environment.name}/${area}/${effect}/${slug}`),
    );
    return probe(role, targets);
  });
  return documents.map((document) => stringify(document, { lineWidth: 0 })).join('---\n');
}

function probe(role: Role, targets: readonly string[]): object {
  const host = role === 'readers' ? 'sextant-readers.sextant.svc' : 'sextant-writers-0.sextant-writers.sextant.svc';
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'Probe',
    metadata: { name: `sextant-${role}` },
    spec: {
      jobName: 'sextant',
      interval: '60s',
      scrapeTimeout: '35s',
      prober: { url: `${host}:${PORT}`, path: '/probe' },
      targets: {
        staticConfig: { static: targets, relabelingConfigs: [...namesOf, ...(role === 'writers' ? shardOf : [])] },
      },
    },
  };
}

const part = (index: number, targetLabel: string) => ({
  sourceLabels: ['instance'],
  regex: '(.+)/(.+)/(.+)/(.+)',
  targetLabel,
  replacement: `$${index}`,
});

/** A target is environment/area/effect/scenario. */
const namesOf = [
  { targetLabel: 'location', replacement: 'here' },
  part(1, 'environment'),
  part(2, 'area'),
  part(3, 'effect'),
  part(4, 'scenario'),
  part(4, '__param_module'),
  part(1, '__param_target'),
  part(1, 'instance'),
];

/** One replica for each environment, whoever asks; the modulus is the number of replicas. */
const shardOf = [
  { sourceLabels: ['environment'], targetLabel: '__tmp_shard', action: 'hashmod', modulus: 1 },
  {
    sourceLabels: ['__tmp_shard'],
    targetLabel: '__address__',
    replacement: `sextant-writers-$1.sextant-writers.sextant.svc:${PORT}`,
  },
];

/** The environments of a role: the files of its ConfigMap. */
function environmentsOf(overlay: string, role: Role) {
  const folder = join(projectRoot, overlay);
  const { configMapGenerator = [] } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as {
    configMapGenerator?: readonly { readonly name: string; readonly files: readonly string[] }[];
  };
  const files = configMapGenerator.find(({ name }) => name === `sextant-${role}-environments`)?.files ?? [];
  return files.map((file) => {
    const { ALLOWED_EFFECTS = 'read' } = parseEnvironment(readFileSync(join(folder, file), 'utf8'));
    return { name: basename(file, '.env'), effects: ALLOWED_EFFECTS.split(',').map((effect) => effect.trim()) };
  });
}
