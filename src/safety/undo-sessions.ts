import { randomUUID } from 'node:crypto';
import { type AwaitedChanges, type Caller, Ledger, Session, type Stage, sharedPace } from '../call/index.ts';
import type { Environment } from '../environment/index.ts';
import { NodeTransport, type Transport, tracing } from '../http/index.ts';
import { Redactor } from '../redaction/index.ts';
import type { AreaId } from '../service/index.ts';
import { type Observer, SuiteError, silent } from '../verdict/index.ts';
import { credentialGuard, type RefusedCredentials } from './credential-guard.ts';
import { memoryLog } from './log.ts';

/** An undo needs a credential that the environment doesn't have any more. */
class NoCredential extends SuiteError {
  override readonly name = 'NoCredential';
  readonly category = 'unknown';
}

export interface SendingOptions {
  /** Hears of the requests. */
  readonly observer?: Observer | undefined;
  readonly signal?: AbortSignal | undefined;
  /** A call may not take longer, whatever the environment allows; in ms. */
  readonly longestCallMs?: number | undefined;
  /** The credentials that a process that stays knows to be refused: they are not sent. */
  readonly refused?: RefusedCredentials | undefined;
  /** How earlier waits ended. Absent: each wait is full. */
  readonly awaitedChanges?: AwaitedChanges | undefined;
  /** Connections of its caller; absent: its own. */
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

/** Sessions that undo as the users of an environment. */
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
