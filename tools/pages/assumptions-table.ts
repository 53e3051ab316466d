import { assumptions } from '../../reference-service/assumptions/table.ts';
import { operationIds } from '../../src/spec/index.ts';

/** The table in `reference-service/README.md`: the assumptions that the service uses. */
export function assumptionsTable(): string {
  const lines = assumptions.map(
    ({ operations, question, answer, why }) => `| ${names(operations)} | \`${question}\` | ${answer} | ${why} |`,
  );
  return ['| operation | question | assumption | reason |', '|---|---|---|---|', ...lines].join('\n');
}

function names(operations: readonly string[]): string {
  return operations.length === operationIds.length ? 'all' : operations.join(', ');
}
