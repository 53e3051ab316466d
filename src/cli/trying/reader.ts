import { randomUUID } from 'node:crypto';
import { correlationHeaders, type Exchange, Ledger, Redactor, rateLimit, Session, silent } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import { nodeTransports, type Transports } from '../../scenario/index.ts';
import type { PlannedRead } from './planned-read.ts';

/** Whose credentials a request carries. */
export type As = 'caller' | 'friend';

/** Sends requests that only read: whatever the environment allows, anything else is refused before it is sent. */
export class Reader {
  readonly #transports: Transports;
  readonly #sessions: Readonly<Record<As, Session>>;

  constructor(environment: Environment) {
    const { caller, friend, secrets, rateLimits, runHeader } = environment;
    this.#transports = nodeTransports(environment);
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
