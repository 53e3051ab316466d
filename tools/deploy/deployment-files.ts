import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import { scenarios } from '../../src/runner/index.ts';
import { dashboard } from './dashboard/index.ts';
import { namedScenarios, probes } from './probes.ts';
import { prometheusRule } from './prometheus-rule.ts';

const MADE = '# Made by `npm run deployment`; don’t edit it.\n';

/** The files of deploy/ that are made from others, with their text. */
export async function deploymentFiles(): Promise<{ readonly path: string; readonly text: string }[]> {
  const overlay = 'deploy/kubernetes/overlays/one-cluster';
  return [
    { path: 'deploy/kubernetes/components/rules/prometheus-rule.yaml', text: `${MADE}${prometheusRule()}` },
    { path: `${overlay}/probes.yaml`, text: `${MADE}${probes(overlay, namedScenarios(await scenarios()))}` },
    { path: 'deploy/grafana/dashboards/sextant.json', text: `${JSON.stringify(dashboard(), null, 2)}\n` },
  ];
}

/** The files whose text is not what it would be made as now. */
export async function outdated(): Promise<string[]> {
  const files = await deploymentFiles();
  return files
    .filter(({ path, text }) => readFileSync(join(projectRoot, path), 'utf8') !== text)
    .map(({ path }) => path);
}

if (import.meta.main) {
  for (const { path, text } of await deploymentFiles()) writeFileSync(join(projectRoot, path), text);
}
