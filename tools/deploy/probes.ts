import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse as parseEnvironment } from 'dotenv';
import { parse, stringify } from 'yaml';
import { projectRoot } from '../../src/config/project-root.ts';
import { Modules, type NamedScenario } from '../../src/prober/modules.ts';
import type { Scenario } from '../../src/runner/index.ts';

/** How often what runs, by its effect: as in deploy/prometheus/prometheus.yml. */
const jobs = [
  { job: 'sextant', suffix: '', interval: '60s', effects: ['read', 'reversible'] },
  { job: 'sextant-overwriting', suffix: '-overwriting', interval: '10m', effects: ['overwriting'] },
  { job: 'sextant-irreversible', suffix: '-irreversible', interval: '1h', effects: ['irreversible'] },
] as const;

const PORT = 9465;

interface Offered {
  readonly name: string;
  readonly effects: readonly string[];
}

export function namedScenarios(scenarios: readonly Scenario[]): readonly NamedScenario[] {
  return new Modules(scenarios).scenarios;
}

/** The `Probe`s of an overlay: one for each role and interval, with a target for each scenario that an environment allows. */
export function probes(overlay: string, scenarios: readonly NamedScenario[]): string {
  const documents = (['readers', 'writers'] as const).flatMap((role) => {
    const offered = environmentsOf(overlay, role);
    return jobs.flatMap(({ job, suffix, interval, effects }) => {
      const targets = offered.flatMap((environment) =>
        scenarios
          .filter(
            ({ effect }) => environment.effects.includes(effect) && (effects as readonly string[]).includes(effect),
          )
          .map(({ area, effect, slug }) => `${environment.name}/${area}/${effect}/${slug}`),
      );
      return targets.length === 0 ? [] : [probe(`sextant-${role}${suffix}`, { role, job, interval, targets })];
    });
  });
  return documents.map((document) => stringify(document, { lineWidth: 0 })).join('---\n');
}

interface Wanted {
  readonly role: 'readers' | 'writers';
  readonly job: string;
  readonly interval: string;
  readonly targets: readonly string[];
}

function probe(name: string, { role, job, interval, targets }: Wanted): object {
  const host = role === 'readers' ? 'sextant-readers.sextant.svc' : 'sextant-writers-0.sextant-writers.sextant.svc';
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'Probe',
    metadata: { name },
    spec: {
      jobName: job,
      interval,
      scrapeTimeout: '30s',
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
export function environmentsOf(overlay: string, role: 'readers' | 'writers'): Offered[] {
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
