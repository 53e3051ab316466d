/** A yes-or-no state that changes only after enough contrary observations in a row. */
export interface Hysteresis {
  readonly on: boolean;
  /** Contrary observations in a row. */
  readonly contrary: number;
  /** When the first of them was made; epoch, in ms. */
  readonly contrarySince?: number;
}

export const off: Hysteresis = { on: false, contrary: 0 };

export interface Thresholds {
  /** Observations in a row that switch it on. */
  readonly onAfter: number;
  /** Observations in a row that switch it off. */
  readonly offAfter: number;
}

/** The state after one more observation; `since` is the first contrary observation where it flipped. */
export function observe(
  state: Hysteresis,
  observed: boolean,
  at: number,
  { onAfter, offAfter }: Thresholds,
): { readonly state: Hysteresis; readonly since?: number } {
  if (observed === state.on) return { state: { on: state.on, contrary: 0 } };
  const contrary = state.contrary + 1;
  const contrarySince = state.contrarySince ?? at;
  if (contrary < (state.on ? offAfter : onAfter)) return { state: { on: state.on, contrary, contrarySince } };
  return { state: { on: observed, contrary: 0 }, since: contrarySince };
}
