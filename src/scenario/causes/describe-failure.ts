import {
  type AreaId,
  areaTitle,
  type CallableId,
  type OperationId,
  operation,
  operations,
  readProfile,
} from '../../spec/index.ts';
import type { Failure } from './failure.ts';

/** What a failure is put down to: failures with one `key` have one cause. */
export interface Description {
  readonly key: string;
  /** The area that fell short; absent where nothing was called. */
  readonly area?: AreaId;
  readonly operation?: CallableId;
  /** The sentence without its area: `unblock answers 500`. */
  readonly says: string;
  /** How the call ended, where every operation of an area may end so: `answers 502`. */
  readonly ending?: string;
  /** What it would have needed: an operation that undoes, or credentials that are accepted. */
  readonly needs?: CallableId | 'credentials';
}

/** Doubts about a scenario that starts with what another one left behind contain it, after the change. */
export const LEFT_BEHIND = 'left behind by another scenario';

/** Describes a failure for people; ids, counts and times are left out of the key. */
export function describeFailure(failure: Failure): Description {
  const { verdict, observed = '', text, call } = failure;
  if (!call) {
    const needs = failure.merely === 'not tried' && verdict === 'refused' ? ({ needs: 'credentials' } as const) : {};
    return { key: `text ${generic(text)}`, says: text, ...needs };
  }
  const { area } = isOperation(call.operation) ? operation(call.operation) : readProfile;
  const [, change = ''] = new RegExp(`; (\\w+) \\{.*${LEFT_BEHIND}`).exec(observed) ?? [];
  const needs = isOperation(change) ? operation(change).undo : undefined;
  return { area, ...(needs ? { needs: needs as OperationId } : {}), ...describeCall({ ...failure, call }, area) };
}

function describeCall(
  { verdict, claim = '', observed = '', call }: Failure & Required<Pick<Failure, 'call'>>,
  area: AreaId,
): Description {
  const { operation, origin, status, failure = { phase: '', reason: 'no response' } } = call;
  const ended = (ending: string, about = ending): Description => ({
    key: `${operation} ${generic(about)}`,
    operation,
    says: `${operation} ${ending}`,
  });
  const words = `“${claim.replace(/^\w+: /, '')}”`;
  if (status === undefined) {
    const { phase, reason } = failure;
    const says = `no connection to ${origin} (${phase}): ${reason}`;
    if (['dns', 'connect', 'tls'].includes(phase)) return { key: says, says };
    const ending = `gives no usable response: ${reason}`;
    return { ...ended(ending), ending };
  }
  if (verdict === 'refused') {
    const says = `answers ${status} to our credentials`;
    return { key: `${area} ${says}`, operation, says };
  }
  if (status >= 500) return { ...ended(`answers ${status}`), ending: `answers ${status}` };
  if (!observed.startsWith(`${status}`)) return ended(`breaks ${words}`, observed);
  if (observed.endsWith(': it was accepted')) return ended(`accepts what it must refuse: ${words}`, 'accepts');
  // After a status and its name: ", but the body is not valid JSON".
  const [, detail = ''] = /^\d{3}[^,:(]*([,:] [^(]*)?/.exec(observed) ?? [];
  return ended(`answers ${status}${detail.trimEnd()}`);
}

/** The sentence of a cause: `Friends: unblock answers 500`. */
export function sentenceOf(areas: readonly AreaId[], says: string): string {
  return areas.length === 0 ? says : `${areas.map(areaTitle).join(', ')}: ${says}`;
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
    .replace(/(?<!answers )\d[\d,.]*/g, 'N')
    .trim();
}
