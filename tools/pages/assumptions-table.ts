import { assumptions } from '../../reference-service/assumptions/table.ts';
import { operationIds } from '../../src/spec/index.ts';

/** The table of `reference-service/README.md`, made of the decisions that the service uses. */
export function decisionsTable(): string {
  const lines = assumptions.map(
    ({ operations, question, answer, why }) => `| ${names(operations)} | \`${question}\` | ${answer} | ${why} |`,
  );
  return ['| operation | question | our answer | why |', '|---|---|---|---|', ...lines].join('\n');
}

function names(operations: readonly string[]): string {
  return operations.length === operationIds.length ? 'all' : operations.join(', ');
}
