import { isUnconnected } from '../../http/index.ts';
import { type AreaId, type CallableId, callable } from '../../service/index.ts';
import { ACCEPTS, type Failure } from '../../verdict/index.ts';

/** The cause of a failure, as far as the failure alone tells. */
export interface Description {
  /** Failures with one key have one cause. */
  readonly key: string;
  /** The sentence without its area: `unblock answers 500`. */
  readonly says: string;
  /** The area and the operation that fell short; absent where nothing was called. */
  readonly area?: AreaId;
  readonly operation?: CallableId;
  /** How the call ended, where every operation may end so: `answers 502`. Absent once several are joined. */
  readonly ending?: string | undefined;
  /** The sentence says itself which areas it is about. */
  readonly isWide?: true;
  /** The areas themselves end so, and not single operations. */
  readonly isWhole?: true;
}

/** Describes a failure for people; ids, counts and times are left out of the key. */
export function describeFailure(failure: Failure): Description {
  const { verdict, reason, claim = reason, observed = '', sentence, ending, credential, call, unseen, drift } = failure;
  if (!call) return { key: generic(reason), says: reason };
  const [asked] = drift?.asked ?? [];
  const operation = (asked?.operation as CallableId | undefined) ?? unseen?.change ?? call.operation;
  const { area } = callable(operation);
  const does = (what: string, about = what) => {
    return { key: `${operation} ${generic(about)}`, says: `${operation} ${what}`, area, operation };
  };
  if (drift) return { key: drift.sentence, says: drift.sentence, area, operation, isWide: true };
  const ends = (ending: string) => ({ ...does(ending), ending });
  const { status, failure: { reason: why } = { reason: 'no response' } } = call;
  if (isUnconnected(call)) {
    const says = `no connection to ${call.origin}: ${why}`;
    return { key: says, says, area };
  }
  if (status === undefined) return ends(`gives no usable response: ${why}`);
  // Something in front of the service stops every request, so all such failures are one cause.
  if (sentence && failure.frontDoor) {
    const says = `${call.origin}: ${sentence}; ${failure.frontDoor}`;
    return { key: says, says, area, operation, isWide: true };
  }
  if (verdict === 'refused') return ends(`answers ${status} to our ${credential ?? 'credentials'}`);
  if (status >= 500) return ends(`answers ${status}`);
  if (sentence) return { key: sentence, says: sentence, area, operation };
  if (ending === ACCEPTS) return does(`${ACCEPTS}: “${claim}”`, ACCEPTS);
  return ending ? ends(ending) : does(`breaks “${claim}”`, observed);
}

/** Without what differs from test to test: quoted values, ids, counts, times; statuses, lines and ports stay. */
function generic(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/\(after [^)]*\)/g, '')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gi, '…')
    .replace(/\bentry\b/, 'entries')
    .replace(/(?<![:\d]|answers )\d[\d,.]*/g, 'N')
    .trim();
}
