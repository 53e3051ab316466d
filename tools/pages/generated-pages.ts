import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import { layersTable } from '../layers/layers-table.ts';
import { decisionsTable } from './assumptions-table.ts';
import { drillFigures } from './drill-figures.ts';
import { keysTable } from './environment-keys.ts';
import { channelsTable, monitorKeysTable } from './monitor-keys.ts';
import { verdictsTable } from './verdicts-table.ts';

/** The parts of pages that are made of the program's own tables, between `<!-- name -->` and `<!-- /name -->`. */
const generated = [
  { page: 'ARCHITECTURE.md', name: 'layers', make: layersTable },
  { page: 'README.md', name: 'drill', make: drillFigures },
  { page: 'reference-service/README.md', name: 'decisions', make: decisionsTable },
  { page: 'docs/check.md', name: 'verdicts', make: verdictsTable },
  { page: 'docs/environments.md', name: 'keys', make: keysTable },
  { page: 'docs/monitoring.md', name: 'monitor-keys', make: monitorKeysTable },
  { page: 'docs/monitoring.md', name: 'channels', make: channelsTable },
] as const;

/** `text` with its part `name` replaced. */
export function withPart(text: string, name: string, part: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`no ${start} … ${end} in the page`);
  return `${text.slice(0, from)}${start}\n${part}\n${text.slice(to)}`;
}

if (import.meta.main) {
  const write = process.argv.includes('--write');
  for (const { page, name, make } of generated) {
    const path = join(projectRoot, page);
    const current = readFileSync(path, 'utf8');
    const wanted = withPart(current, name, make());
    if (write) writeFileSync(path, wanted);
    else if (current !== wanted) {
      process.stderr.write(`${page}: the part "${name}" is not what the program says; run \`npm run pages\`.\n`);
      process.exitCode = 1;
    }
  }
}
