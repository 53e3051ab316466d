import type { Call, Claim } from '../../src/client/index.ts';
import type { InventedData } from '../../src/scenario/index.ts';
import { type HeaderName, headerSets, headers, type Operation, operation, operationIds } from '../../src/spec/index.ts';

/** One wrong header of one operation. */
export interface HeaderCase {
  readonly operation: Operation & { readonly id: (typeof operationIds)[number] };
  readonly header: string;
  readonly mistake: 'missing' | 'empty' | 'wrong';
  readonly claim: Claim;
  readonly change: (call: Call, data: InventedData) => Call;
}

/**
 * Every operation × every header of its set × every way to get it wrong (specification, part 5: "headers required"). The
 * specification doesn't define wrong values of app-* headers.
 */
export function headerCases(): HeaderCase[] {
  return operationIds.flatMap((id) => headerSets[operation(id).headerSet].flatMap((name) => casesOf(id, name)));
}

/** The operations with a user token, which must be rejected together with another user's id. */
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
      mistake: 'missing',
      claim: `documented: ${header} is required`,
      change: (call) => call.without(header),
    },
    {
      ...common,
      mistake: 'empty',
      claim: `assumed: the required ${header} must not be empty`,
      change: (call) => call.withHeader(header, ''),
    },
  ];
  if (kind === 'context') return cases;
  const wrong = (data: InventedData) => (kind === 'id' ? data.id() : data.wrongCredential());
  const scheme = name === 'authorization' ? 'bearer ' : '';
  const claim = `assumed: the value of ${header} is checked` as const;
  return [
    ...cases,
    { ...common, mistake: 'wrong', claim, change: (call, data) => call.withHeader(header, scheme + wrong(data)) },
  ];
}
