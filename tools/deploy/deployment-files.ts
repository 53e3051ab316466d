import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { stringify } from 'yaml';
import { projectRoot } from '../../src/environment/project-root.ts';
import { areaIds, areas } from '../../src/service/index.ts';
import { ruleGroups } from './rules.ts';

/**
 * Deployment files and example environments that are generated, as a whole or in part. `make` gets the present text of the file, and
 * returns the new one.
 */
export function deploymentFiles(): { readonly file: string; readonly make: (text: string) => string }[] {
  const copied = globSync('deploy/kubernetes/**/environments/*.env', { cwd: projectRoot });
  return [
    { file: 'deploy/kubernetes/components/rules/prometheus-rule.yaml', make: prometheusRule },
    { file: 'environments/example.env.template', make: (text) => withAddresses(text, 'example') },
    ...copied.map((file) => ({
      file,
      make: (text: string) => withAddresses(text, `${basename(file, '.env')}.example`),
    })),
  ];
}

/** The rules of deploy/prometheus in the form that the Prometheus operator reads. */
function prometheusRule(): string {
  const about = { apiVersion: 'monitoring.coreos.com/v1', kind: 'PrometheusRule', metadata: { name: 'sextant' } };
  const rule = { ...about, spec: { groups: ruleGroups() } };
  return `# Made by \`npm run pages\`; don’t edit it.\n${stringify(rule, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

/** Generates the addresses in an example environment, one for each area. The rest of the text is written by hand. */
function withAddresses(text: string, host: string): string {
  const addresses = areaIds.map((area) => `${areas[area].addressKey}=https://${area.toLowerCase()}.${host}\n`);
  return text.replace(/(?:^[A-Z]+_URL=https:.*\n)+/m, addresses.join(''));
}
