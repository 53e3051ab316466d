import { listed } from '../../config/index.ts';
import {
  type AreaId,
  type CallableId,
  type OperationId,
  operation,
  operations,
  readProfile,
} from '../../spec/index.ts';
import type { FailedCall, Failure } from './failure.ts';

/** What a failure is put down to: failures with one `key` have one cause. */
export interface Description {
  readonly key: string;
  /** The area that fell short; absent where nothing was called. */
  readonly area?: AreaId;
  readonly operation?: CallableId;
  /** The sentence without its area: `unblock answers 500`. */
  readonly says: string;
  /** The sentence says itself which areas it is about. */
  readonly isWide?: true;
  /** The area itself ends so, and not single operations. */
  readonly isWhole?: true;
  /** How the call ended, where every operation of an area may end so: `answers 502`. */
  readonly ending?: string;
  /** The credentials were refused: an area has one set for all its operations. */
  readonly isRefusal?: true;
  /** What it would have needed: an operation that undoes, or credentials that are accepted. */
  readonly needs?: Failure['needs'];
}

/** Describes a failure for people; ids, counts and times are left out of the key. */
export function describeFailure(failure: Failure): Description {
  const { reason, call, needs, unseen, stranger } = failure;
  const needed = needs ? { needs } : {};
  if (stranger) return describeStranger(stranger);
  // A mistake of a spec is one for each of its lines.
  if (!call) {
    const [place = ''] = /^\S+:\d+: /.exec(reason) ?? [];
    return { key: `text ${place}${generic(reason)}`, says: reason, ...needed };
  }
  const { area } = isOperation(call.operation) ? operation(call.operation) : readProfile;
  if (unseen) {
    const { change, list } = unseen;
    return { key: `unseen ${change}`, area, operation: change, says: unseenText(change, [list]) };
  }
  return { area, ...needed, ...describeCall({ ...failure, call }) };
}

export function unseenText(change: CallableId, lists: readonly CallableId[]): string {
  return `${change} is accepted and never shows in ${listed(lists)}`;
}

/** For all that the friend does, once it is known. */
export function describeStranger(stranger: string): Description {
  const says = `the friend's requests count as those of ${stranger}: FRIEND_ACCESS_TOKEN?`;
  return { key: 'stranger', says, isWide: true };
}

type Called = Failure & { readonly call: FailedCall };

function describeCall({
  verdict,
  reason,
  claim = reason,
  observed = '',
  sentence,
  credential,
  call,
}: Called): Description {
  const { operation, origin, status, failure = { phase: '', reason: 'no response' } } = call;
  const ended = (ending: string, about = ending): Description => ({
    key: `${operation} ${generic(about)}`,
    operation,
    says: `${operation} ${ending}`,
  });
  const words = `“${claim}”`;
  if (status === undefined) {
    const { phase, reason } = failure;
    const says = `no connection to ${origin} (${phase}): ${reason}`;
    if (['dns', 'connect', 'tls'].includes(phase)) return { key: says, says };
    const ending = `gives no usable response: ${reason}`;
    return { ...ended(ending), ending };
  }
  if (verdict === 'refused') {
    const ending = `answers ${status} to our ${credential ?? 'credentials'}`;
    return { ...ended(ending), ending, isRefusal: true };
  }
  if (status >= 500) return { ...ended(`answers ${status}`), ending: `answers ${status}` };
  if (sentence) return { key: sentence, operation, says: sentence };
  if (!observed.startsWith(`${status}`)) return ended(`breaks ${words}`, observed);
  if (observed.endsWith(': it was accepted')) return ended(`accepts what it must refuse: ${words}`, 'accepts');
  // The rest of the observation differs from test to test, so only the status describes an error.
  if (status >= 400) return ended(`answers ${status}`);
  // After a status and its name: ", but the body is not valid JSON".
  const [, detail = ''] = /^\d{3}[^,:(]*([,:] [^(]*)?/.exec(observed) ?? [];
  return ended(`answers ${status}${detail.trimEnd()}`);
}

function isOperation(name: string): name is OperationId {
  return name in operations;
}

/** Without what differs from test to test: quoted values, ids, counts, times; a status stays. */
function generic(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/\(after [^)]*\)/g, '')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gi, '…')
    .replace(/\bentry\b/, 'entries')
    .replace(/(?<!answers )\d[\d,.]*/g, 'N')
    .trim();
}
