import { type Exchange, parsedJson } from '../../http/index.ts';
import { outcomeOf, type ServiceUnderTest } from '../../verdict/index.ts';
import { pollFor } from '../poll-for.ts';
import { idIn } from '../requests/id-in.ts';
import { RawBody } from '../requests/prepare.ts';
import type { Middleware } from './stages.ts';

/**
 * A 202 means that the service may make the change later (RFC 9110, 15.3.3). Until then it may refuse the opposite change (unblock after
 * block). If it does, the opposite change is sent again, until CONSISTENCY_TIMEOUT_MS after the 202.
 */
export function pendingChange({ addresses, consistencyTimeoutMs, successWhen }: ServiceUnderTest): Middleware {
  // The pending changes of all scenarios, because one scenario may begin with the opposite of the last change of another.
  const pending = new Map<string, { readonly by: string; readonly until: number }>();
  return async (call, next) => {
    const { operation, args, session } = call;
    const id = idIn(args instanceof RawBody ? parsedJson(args.text) : args);
    if (operation.effect !== 'reversible' || id === undefined) return next(call);
    const { signal } = session.context;
    const base = addresses[operation.area].href;
    const key = JSON.stringify([base, operation.undo ?? operation.id, id, session.caller.userId]);
    const { by = operation.id, until = 0 } = pending.get(key) ?? {};
    const ms = by === operation.id ? 0 : until - performance.now();
    const isDecided = (exchange: Exchange) => !outcomeOf(exchange, successWhen).isPlainRefusal;
    const { last } = await pollFor({ ms, signal }, () => next(call), isDecided);
    if (last.response?.status === 202) {
      for (const [old, { until }] of pending) if (until < performance.now()) pending.delete(old);
      pending.set(key, { by: operation.id, until: performance.now() + consistencyTimeoutMs });
    }
    return last;
  };
}
