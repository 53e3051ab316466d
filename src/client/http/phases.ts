/** The phases of a call, in order. */
export const phaseNames = ['dns', 'connect', 'tls', 'processing', 'transfer'] as const;

export type Phase = (typeof phaseNames)[number];

/** Milliseconds by phase. A phase that didn't happen (a reused socket has no dns, connect, tls) is absent. */
export type Phases = Partial<Record<Phase, number>>;

/** Events on the wire, in ms of one monotonic clock. */
export interface Timestamps {
  readonly start: number;
  readonly dns?: number;
  readonly connect?: number;
  readonly tls?: number;
  /** The socket was reused from an earlier call. */
  readonly reused?: number;
  readonly response?: number;
  readonly end?: number;
}

export function phasesOf(marks: Timestamps): Phases {
  const { start, dns, connect, tls, reused, response, end } = marks;
  const ready = tls ?? connect ?? reused;
  return {
    ...span('dns', start, dns),
    ...span('connect', dns ?? start, connect),
    ...span('tls', connect, tls),
    ...span('processing', ready, response),
    ...span('transfer', response, end),
  };
}

/** The phase in which an unfinished call was. */
export function phaseReached(marks: Timestamps, address: { readonly named: boolean; readonly secure: boolean }): Phase {
  if (marks.response !== undefined) return 'transfer';
  if (marks.reused !== undefined) return 'processing';
  if (marks.connect === undefined) return address.named && marks.dns === undefined ? 'dns' : 'connect';
  return address.secure && marks.tls === undefined ? 'tls' : 'processing';
}

function span(name: Phase, from: number | undefined, to: number | undefined): Phases {
  return from === undefined || to === undefined ? {} : { [name]: Math.max(0, to - from) };
}
