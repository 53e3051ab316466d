import { randomUUID } from 'node:crypto';
import { type AwaitedChanges, type Caller, Ledger, Session, type Stage, sharedPace } from '../call/index.ts';
import type { Environment } from '../environment/index.ts';
import { NodeTransport, type Transport, tracing } from '../http/index.ts';
import { Redactor } from '../redaction/index.ts';
import type { AreaId } from '../service/index.ts';
import { type Observer, SuiteError, silent } from '../verdict/index.ts';
import { credentialGuard, type RefusedCredentials } from './credential-guard.ts';
import { memoryLog } from './log.ts';

/** An undo needs a credential that the environment no longer has. */
class NoCredential extends SuiteError {
  override readonly name = 'NoCredential';
  readonly category = 'unknown';
}

export interface SendingOptions {
  /** Notified of each request. */
  readonly observer?: Observer | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Upper limit for the time of a call in ms, even if the environment allows more. */
  readonly longestCallMs?: number | undefined;
  /** Credentials that a resident process knows to be refused. They are not sent. */
  readonly refused?: RefusedCredentials | undefined;
  /**
   * How earlier waits for lists that lag behind ended, so that a wait that keeps failing is skipped. Absent: each wait takes its full time.
   */
  readonly awaitedChanges?: AwaitedChanges | undefined;
  /** Connections that the caller of the undo provides; absent: the undo opens its own. */
  readonly transport?: ((area: AreaId) => Promise<Transport>) | undefined;
}

/** The context that sessions outside of a scenario share; `end` closes their connections. */
export function contextOutside(environment: Environment, options: SendingOptions, guards: readonly Stage[]) {
  const { observer = silent, signal, longestCallMs, transport, awaitedChanges } = options;
  const ownTransport = transport ? undefined : new NodeTransport(environment.route);
  const context = {
    target: environment,
    redactor: new Redactor(environment.secrets),
    ledger: new Ledger(),
    observer,
    transport: transport ?? (async () => ownTransport as NodeTransport),
    ...tracing(environment, randomUUID()),
    stages: { allowed: guards, recorded: [], sent: sharedPace(environment).middleware },
    signal,
    ...(longestCallMs === undefined ? {} : { longestCallMs }),
    ...(awaitedChanges ? { awaitedChanges } : {}),
  };
  return { context, end: () => ownTransport?.close() };
}

/** Sessions that send undos as the users of an environment. */
export function undoSessions(environment: Environment, options: SendingOptions) {
  const guard = options.refused?.guard() ?? credentialGuard(memoryLog(), environment);
  const { context, end } = contextOutside(environment, options, [guard]);
  const callerOf = (as: 'caller' | 'friend'): Caller => ({ ...environment.caller, ...environment[as] }) as Caller;
  return {
    of: (as: 'caller' | 'friend'): Session => {
      if (!environment[as].accessToken)
        throw new NoCredential(`needs ${as === 'caller' ? 'ACCESS_TOKEN' : 'FRIEND_ACCESS_TOKEN'}`);
      return new Session(context, callerOf(as), as === 'caller' ? '' : 'the friend');
    },
    end,
  };
}
