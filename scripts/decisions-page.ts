import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationIds } from '../catalogue/index.ts';
import { type Decision, decisions } from '../service/decisions.ts';
import { root } from './steps.ts';

const page = join(root, 'service', 'README.md');
const [start, end] = ['<!-- decisions -->', '<!-- /decisions -->'];

/** `service/README.md` as it should be: its table is made of `service/decisions.ts`. */
export function decisionsPage(current: string): string {
  const [before] = current.split(start);
  const [, after] = current.split(end);
  return `${before}${start}\n${table(decisions)}\n${end}${after}`;
}

function table(rows: readonly Decision[]): string {
  const lines = rows.map(
    ({ operations, question, answer, why }) => `| ${names(operations)} | \`${question}\` | ${answer} | ${why} |`,
  );
  return ['| operation | question | our answer | why |', '|---|---|---|---|', ...lines].join('\n');
}

function names(operations: readonly string[]): string {
  return operations.length === operationIds.length ? 'all' : operations.join(', ');
}

if (import.meta.main) {
  const current = readFileSync(page, 'utf8');
  const wanted = decisionsPage(current);
  if (process.argv.includes('--write')) writeFileSync(page, wanted);
  else if (current !== wanted) {
    process.stderr.write('service/README.md is not what service/decisions.ts says; run `npm run decisions`.\n');
    process.exitCode = 1;
  }
}
