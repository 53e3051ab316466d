import type { HeaderChange } from '../../fixtures/index.ts';
import { callable, callableIds, type HeaderName, headerSets, headers } from '../../src/service/index.ts';

/** A change of a header, with words for a title: `Authorization missing`. */
interface HeaderCase extends HeaderChange {
  readonly what: string;
}

/** Every operation of the specification. Row 12 is sent as the request with which the environment's team reads a profile. */
const entries: readonly HeaderChange['operation'][] = callableIds.map((id) => ({ ...callable(id), id }));

/**
 * Returns a case for every operation × every header of its set × every way to make it wrong (specification, part 5: "headers required"). The
 * specification doesn't define wrong values of app-* headers, so there are no cases for these.
 */
export function headerCases(): HeaderCase[] {
  return entries.flatMap((entry) => headerSets[entry.headerSet].flatMap((name) => casesOf(entry, name)));
}

/** Returns a case for each operation that a user's token authorizes: the service must not accept another user's id next to the token. */
export function anotherUserCases(): HeaderCase[] {
  return entries
    .filter(({ headerSet }) => headerSet === 'user')
    .map((entry) => ({
      operation: entry,
      header: 'mm-user-id',
      way: 'another',
      what: 'the mm-user-id of another user',
      claim: 'assumed: a token acts for its own user only',
    }));
}

function casesOf(entry: HeaderChange['operation'], header: HeaderName): HeaderCase[] {
  const { name, kind } = headers[header];
  const changes: Omit<HeaderChange, 'operation' | 'header'>[] = [
    { way: 'missing', claim: `documented: ${name} is required` },
    { way: 'empty', claim: `assumed: the required ${name} must not be empty` },
    ...(kind === 'context' ? [] : [{ way: 'wrong', claim: `assumed: the value of ${name} is checked` } as const]),
  ];
  return changes.map((change) => ({ operation: entry, header, ...change, what: `${name} ${change.way}` }));
}
