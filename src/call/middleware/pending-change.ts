import { type Exchange, parsedJson } from '../../http/index.ts';
import { outcomeOf, type ServiceUnderTest } from '../../verdict/index.ts';
import { pollFor } from '../poll-for.ts';
import { idIn } from '../requests/id-in.ts';
import { RawBody } from '../requests/prepare.ts';
import type { Middleware } from './stages.ts';

/**
 * A 202 says that a change is not made yet (RFC 9110, 15.3.3), and a service may refuse its opposite until it is. So what is refused then is
 * sent again for as long as a change may take to be seen.
 */
export function pendingChange({ addresses, consistencyTimeoutMs, successWhen }: ServiceUnderTest): Middleware {
  // Of all scenarios with this pace: the last change of one may be the first of the next.
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
