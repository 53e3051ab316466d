import { randomUUID } from 'node:crypto';
import {
  correlationHeaders,
  type Exchange,
  Ledger,
  Redactor,
  rateLimit,
  Session,
  silent,
} from '../../../client/index.ts';
import type { Environment } from '../../../config/index.ts';
import { nodeTransports } from '../../../scenario/index.ts';
import { type AreaId, type Operation, operation, operationIds } from '../../../spec/index.ts';

/** Whose credentials a request carries. */
export type As = 'caller' | 'friend';

/** Sends requests that only read: whatever the environment allows, anything else is refused before it is sent. */
export class Reader {
  readonly #transports = nodeTransports();
  readonly #sessions: Readonly<Record<As, Session>>;

  constructor(environment: Environment) {
    const { caller, friend, secrets, rateLimits, runHeader } = environment;
    const context = {
      target: { ...environment, allowedEffects: new Set(['read'] as const) },
      redactor: new Redactor(secrets),
      ledger: new Ledger(),
      observer: silent,
      transport: this.#transports.of,
      correlation: correlationHeaders(randomUUID(), runHeader),
      middleware: [rateLimit(rateLimits ?? { retryAfterLimitMs: 0 })],
    };
    this.#sessions = {
      caller: new Session(context, caller),
      friend: new Session(context, { ...caller, ...friend }),
    };
  }

  /** `without` is a header to leave out, in lower case. */
  read(
    { operation, args }: PlannedRead,
    { without, as = 'caller' }: { without?: string; as?: As } = {},
  ): Promise<Exchange> {
    const changes = new Map(without ? [[without, undefined]] : []);
    return this.#sessions[as].exchange(operation, args, changes);
  }

  close(): Promise<void> {
    return this.#transports.dispose();
  }
}

/** A request that changes nothing, ready to be sent. */
export interface PlannedRead {
  readonly operation: Operation;
  readonly args: unknown;
  /** Keys of the environment with the values in its path or body. */
  readonly keys: readonly string[];
}

/** Of a flag that need not exist: the service evaluates its default. */
const ANY_FLAG = 'sextant-guided-start';

/** The request that tries an area without changing anything; otherwise why there is none. */
export function plannedRead(
  { blockListSegments, data, caller, friend, readProfile }: Environment,
  area: AreaId,
): PlannedRead | { readonly why: string } {
  switch (area) {
    case 'friends':
      return { operation: operation('listBlocked'), args: blockListSegments, keys: ['BLOCK_LIST_SEGMENTS'] };
    case 'stories': {
      const language = data.reportLanguage ?? caller.app['app-lang'];
      return { operation: operation('reportOptions'), args: { language }, keys: ['REPORT_LANGUAGE'] };
    }
    case 'features': {
      const args = { key: data.flagKey ?? ANY_FLAG, default: 'false', contextData: { source: 'sextant' } };
      return { operation: operation('evaluate'), args, keys: ['FLAG_KEY'] };
    }
    case 'profile': {
      if (!readProfile) return { why: 'nothing to read without FRIEND_PROFILE_REQUEST' };
      const userId = friend.userId ?? caller.userId;
      const key = friend.userId ? 'FRIEND_USER_ID' : 'USER_ID';
      return { operation: readProfile, args: { userId }, keys: ['FRIEND_PROFILE_REQUEST', key] };
    }
    default:
      return { why: `nothing to read: ${titlesOf(area)} changes data` };
  }
}

function titlesOf(area: AreaId): string {
  return operationIds
    .map(operation)
    .filter((entry) => entry.area === area)
    .map(({ title }) => title)
    .join(', ');
}
