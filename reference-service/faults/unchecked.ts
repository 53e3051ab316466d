import { type HeaderName, headerSets, headers, operation, operationIds } from '../../src/spec/index.ts';
import type { ServiceRequest } from '../json-server.ts';
import { Refusal } from '../refusal.ts';
import { type CataloguedFault, ofKind } from './kind.ts';

/** Operations 11 and 12 are one request, so a fault of one is a fault of the other. */
const served = operationIds.filter((id) => id !== 'getFriendProfile').map(operation);

const each = <T>(make: (id: (typeof served)[number], name: HeaderName) => T): T[] =>
  served.flatMap((entry) => headerSets[entry.headerSet].map((name) => make(entry, name)));

/** Each header of each operation, not checked at all (specification, part 5: "headers required"). */
const unchecked = each((entry, name) => ({
  name: `${entry.id}-${name}-unchecked`,
  operation: entry.id as (typeof operationIds)[number],
  grade: 'documented' as const,
  breaks: `part 5: row ${entry.row} requires ${headers[name].name}`,
  unchecked: [name],
}));

/** Each credential, checked only for presence. */
const anyValue = each((entry, name) => ({
  name: `${entry.id}-${name}-of-any-value`,
  operation: entry.id as (typeof operationIds)[number],
  grade: 'assumed' as const,
  breaks: `common sense: a credential is compared, not just required (row ${entry.row})`,
  unchecked: [name],
  arrive:
    () =>
    (request: ServiceRequest): undefined => {
      if (!request.headers[name]) throw new Refusal(401, 'missing_header', `the header ${name} is missing or empty`);
    },
})).filter((fault) => headers[fault.unchecked[0] as HeaderName].kind === 'credential');

export const headerFaults: readonly CataloguedFault[] = ofKind('auth', [...unchecked, ...anyValue]);
