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
  /** When the request got a kept-open socket of an earlier request. */
  readonly reused?: number;
  readonly response?: number;
  readonly end?: number;
}

export interface SilentAddresses {
  readonly addresses: readonly string[];
  /**
   * How long the attempts to connect to the silent addresses took, in ms. This time is part of the exchange's `durationMs`, but isn't
   * slowness of the service.
   */
  readonly ms: number;
}

export function phasesOf(marks: Timestamps): Phases {
  const { start, dns, connect, tls, reused, response, end } = marks;
  const ready = tls ?? connect ?? reused;
  const phases: Phases = {};
  add(phases, 'dns', start, dns);
  add(phases, 'connect', dns ?? start, connect);
  add(phases, 'tls', connect, tls);
  add(phases, 'processing', ready, response);
  add(phases, 'transfer', response, end);
  return phases;
}

/** The phase that an unfinished call had reached. */
export function phaseReached(marks: Timestamps, address: { readonly named: boolean; readonly secure: boolean }): Phase {
  if (marks.response !== undefined) return 'transfer';
  if (marks.reused !== undefined) return 'processing';
  if (marks.connect === undefined) return address.named && marks.dns === undefined ? 'dns' : 'connect';
  return address.secure && marks.tls === undefined ? 'tls' : 'processing';
}

function add(phases: Phases, name: Phase, from: number | undefined, to: number | undefined): void {
  if (from !== undefined && to !== undefined) phases[name] = Math.max(0, to - from);
}
