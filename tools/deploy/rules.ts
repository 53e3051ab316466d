import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../../src/environment/project-root.ts';

interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export const prometheusFolder = join(projectRoot, 'deploy', 'prometheus');

export function prometheusFiles(pattern: string): string[] {
  return globSync(pattern, { cwd: prometheusFolder })
    .sort()
    .map((name) => join(prometheusFolder, name));
}

/** Every group of rules in deploy/prometheus/rules. The rules in all other places are generated from these. */
export function ruleGroups(): { readonly rules: readonly Rule[] }[] {
  return prometheusFiles('rules/*.yml').flatMap((file) => parse(readFileSync(file, 'utf8')).groups);
}
