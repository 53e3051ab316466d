import { isUnconnected } from '../../http/index.ts';
import { type CallableId, callable } from '../../service/index.ts';
import { ACCEPTS, type Failure } from '../../verdict/index.ts';
import { type Cause, hostsOf, whyLost } from './cause.ts';

/** The cause of a failure, as far as this failure alone shows it. */
export interface Description extends Cause {
  /** If two failures have the same key, they have the same cause. */
  readonly key: string;
  /** The sentence without its area: `unblock answers 500`. */
  readonly says: string;
  /**
   * How the call ended, in words that also fit other operations: `answers 502`. Absent if no other operation can end in this way, or if a
   * rule has joined the failure with others.
   */
  readonly ending?: string | undefined;
  /** A cure for the team, in one sentence. */
  readonly cure?: string | undefined;
}

/** Describes a failure for people. Its key contains no ids, counts and times, so that equal failures of several tests have one key. */
export function describeFailure(failure: Failure): Description {
  const {
    verdict,
    reason,
    claim = reason,
    observed = '',
    sentence,
    ending,
    credential,
    call,
    unseen,
    drift,
    lost,
  } = failure;
  if (lost) return ofAddress({ ...lost, address: lost.origin }, whyLost(lost.code));
  if (!call) return { kind: 'unjudged', key: generic(reason), says: reason };
  const [asked] = drift?.asked ?? [];
  const name = (asked?.operation as CallableId | undefined) ?? unseen?.change ?? call.operation;
  const of = { kind: 'operation', address: call.origin, name, areas: [callable(name).area] } as const;
  const does = (what: string, about = what) => ({ ...of, key: `${name} ${generic(about)}`, says: `${name} ${what}` });
  if (drift) return { ...of, key: drift.sentence, says: drift.sentence, asked: drift.asked };
  const {
    status,
    failure: { phase, code, reason: why } = { phase: 'processing', code: 'CLOSED', reason: 'no response' },
  } = call;
  if (isUnconnected(call)) return ofAddress({ ...of, phase, code: code ?? why }, why);
  const ends = (ending: string, at: Pick<Cause, 'phase' | 'code'>) => ({ ...does(ending), ...at, ending });
  if (status === undefined) return ends(`gives no usable response: ${why}`, { phase, code: code ?? why });
  // If a gateway or proxy before the service denies the calls, all these failures are one cause.
  if (sentence && failure.frontDoor)
    return { ...ofAddress({ ...of, phase: 'front', code: sentence }, sentence), cure: failure.frontDoor };
  const answers = (how: string) => ends(`answers ${how}`, { phase: 'response', code: how });
  if (verdict === 'refused') return answers(`${status} to our ${credential ?? 'credentials'}`);
  if (status >= 500) return answers(`${status}`);
  if (sentence) return { ...of, key: sentence, says: sentence };
  if (ending === ACCEPTS) return does(`${ACCEPTS}: “${claim}”`, ACCEPTS);
  if (!ending) return { ...of, key: `${name} ${generic(observed)}`, says: `${name}: “${claim}” doesn't hold` };
  return ending.startsWith('answers ') ? answers(ending.slice('answers '.length)) : ends(ending, {});
}

/** Describes a failure that all areas and operations of a host share, for example a refused connection. */
function ofAddress(cause: Omit<Cause, 'kind'>, why: string): Description {
  return { ...cause, kind: 'address', key: `${hostsOf({ ...cause, kind: 'address' })} ${why}`, says: '' };
}

/** Removes the parts of a text that differ from test to test: quoted values, ids, counts, times. Keeps statuses, line numbers and ports. */
function generic(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/\(after [^)]*\)/g, '')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gi, '…')
    .replace(/\bentry\b/, 'entries')
    .replace(/(?<![:\d]|answers )\d[\d,.]*/g, 'N')
    .trim();
}
