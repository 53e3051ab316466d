import type { Contract } from '../client/index.ts';

/** What the team's own document doesn't cover, said once; nothing where it covers all. */
export function contractLines(environment: string, contract: Contract | undefined): string[] {
  if (!contract || contract.unmatched.length === 0) return [];
  const { documents, unmatched } = contract;
  return [`${environment}: not in ${documents.join(', ')}, and so not held to it: ${unmatched.join(', ')}`];
}
