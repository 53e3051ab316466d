import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { stringify } from 'yaml';
import { projectRoot } from '../../src/config/project-root.ts';
import { areaIds, areas } from '../../src/spec/index.ts';
import { ruleGroups } from './rules.ts';

/** The files that are made from others, with their text. */
function deploymentFiles(): { readonly path: string; readonly text: string }[] {
  return [
    {
      path: 'deploy/kubernetes/components/rules/prometheus-rule.yaml',
      text: `# Made by \`npm run deployment\`; don’t edit it.\n${prometheusRule()}`,
    },
    ...exampleEnvironments(),
  ];
}

/** The rules of deploy/prometheus as the Prometheus operator takes them. */
function prometheusRule(): string {
  const about = { apiVersion: 'monitoring.coreos.com/v1', kind: 'PrometheusRule', metadata: { name: 'sextant' } };
  return stringify({ ...about, spec: { groups: ruleGroups() } }, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Environments to copy: their addresses, one for each area, are made; the rest is written by hand. */
function exampleEnvironments(): { readonly path: string; readonly text: string }[] {
  const copied = globSync('deploy/kubernetes/**/environments/*.env', { cwd: projectRoot });
  return [
    { path: 'environments/example.env', host: 'example' },
    ...copied.map((path) => ({ path, host: `${basename(path, '.env')}.example` })),
  ].map(({ path, host }) => {
    const addresses = areaIds.map((area) => `${areas[area].addressKey}=https://${area.toLowerCase()}.${host}\n`);
    const written = readFileSync(join(projectRoot, path), 'utf8');
    return { path, text: written.replace(/(?:^[A-Z]+_URL=https:.*\n)+/m, addresses.join('')) };
  });
}

/** The files whose text is not what it would be made as now. */
export function outdated(): string[] {
  return deploymentFiles()
    .filter(({ path, text }) => readFileSync(join(projectRoot, path), 'utf8') !== text)
    .map(({ path }) => path);
}

if (import.meta.main) {
  for (const { path, text } of deploymentFiles()) writeFileSync(join(projectRoot, path), text);
}
