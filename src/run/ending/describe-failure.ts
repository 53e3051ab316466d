import { isUnconnected } from '../../http/index.ts';
import { type CallableId, callable } from '../../service/index.ts';
import { ACCEPTS, type Failure } from '../../verdict/index.ts';
import { type Cause, hostsOf, whyLost } from './cause.ts';

/** The cause of a failure, as far as the failure alone shows it. */
export interface Description extends Cause {
  /** Failures with the same key have the same cause. */
  readonly key: string;
  /** The sentence without its area: `unblock answers 500`. */
  readonly says: string;
  /** How the call ended, if other operations may end the same way: `answers 502`. Absent once several failures are joined. */
  readonly ending?: string | undefined;
  /** A cure for the team, in one sentence. */
  readonly cure?: string | undefined;
}

/** Describes a failure for people. The key omits ids, counts and times. */
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
  // Something in front of the service stops every request, so all such failures are one cause.
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

/** Describes a failure of an address. All areas and operations of its host share this cause. */
function ofAddress(cause: Omit<Cause, 'kind'>, why: string): Description {
  return { ...cause, kind: 'address', key: `${hostsOf({ ...cause, kind: 'address' })} ${why}`, says: '' };
}

/** Removes what differs from test to test (quoted values, ids, counts, times). Statuses, line numbers and ports stay. */
function generic(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/\(after [^)]*\)/g, '')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gi, '…')
    .replace(/\bentry\b/, 'entries')
    .replace(/(?<![:\d]|answers )\d[\d,.]*/g, 'N')
    .trim();
}
