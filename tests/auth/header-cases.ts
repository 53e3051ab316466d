import type { Call, Claim } from '../../src/client/index.ts';
import type { InventedData } from '../../src/scenario/index.ts';
import { type HeaderName, headerSets, headers, type Operation, operation, operationIds } from '../../src/spec/index.ts';

/** One way to get one header of one operation wrong. */
export interface HeaderCase {
  readonly operation: Operation & { readonly id: (typeof operationIds)[number] };
  readonly header: string;
  readonly spoiling: 'missing' | 'empty' | 'wrong';
  readonly claim: Claim;
  readonly spoil: (call: Call, data: InventedData) => Call;
}

/**
 * Every operation × every header of its set × every way to get it wrong (specification, part 5: "headers required"). What
 * a wrong value of an app-* header would be, the document doesn't say.
 */
export function headerCases(): HeaderCase[] {
  return operationIds.flatMap((id) => headerSets[operation(id).headerSet].flatMap((name) => casesOf(id, name)));
}

/** The operations that a user's token stands for: another user's id beside it must not do. */
export function anotherUserCases(): { readonly operation: HeaderCase['operation']; readonly tag: string[] }[] {
  const entries = operationIds.map((id) => ({ ...operation(id), id })).filter(({ headerSet }) => headerSet === 'user');
  return entries.map((entry) => ({ operation: entry, tag: [`@${entry.area}`, `@${entry.effect}`] }));
}

function casesOf(id: (typeof operationIds)[number], name: HeaderName): HeaderCase[] {
  const { name: header, kind } = headers[name];
  const common = { operation: { ...operation(id), id }, header };
  const cases: HeaderCase[] = [
    {
      ...common,
      spoiling: 'missing',
      claim: `documented: ${header} is required`,
      spoil: (call) => call.without(header),
    },
    {
      ...common,
      spoiling: 'empty',
      claim: `assumed: ${header}, which is required, can't be empty`,
      spoil: (call) => call.withHeader(header, ''),
    },
  ];
  if (kind === 'context') return cases;
  const wrong = (data: InventedData) => (kind === 'id' ? data.id() : data.wrongCredential());
  const scheme = name === 'authorization' ? 'bearer ' : '';
  const claim = `assumed: ${header} is checked, not just there` as const;
  return [
    ...cases,
    { ...common, spoiling: 'wrong', claim, spoil: (call, data) => call.withHeader(header, scheme + wrong(data)) },
  ];
}
