import { stringify } from 'yaml';
import { ruleGroups } from './rules.ts';

/** The rules of deploy/prometheus as the Prometheus operator takes them. */
export function prometheusRule(): string {
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'sextant' },
    spec: { groups: ruleGroups() },
  };
  return stringify(rule, { lineWidth: 0, aliasDuplicateObjects: false });
}
