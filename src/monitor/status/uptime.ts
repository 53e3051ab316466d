interface UptimeInput {
  /** The longest window. All other windows for which the uptime is computed lie within it. */
  readonly window: Span;
  /** Start of the first run. The time before it is neither up nor down. Epoch, in ms. */
  readonly firstRunAt: number;
  /** The spans in which the scenario was down, from its changes of status. */
  readonly down: readonly Span[];
  readonly maintenance: readonly Span[];
  /** The spans in which no run could be judged. */
  readonly gaps: readonly Span[];
}

export interface Uptime {
  /** Uptime, 0 to 1; absent if nothing was observed. */
  readonly ratio?: number;
  readonly downMs: number;
  readonly observedMs: number;
  /**
   * The share of the window for which no data exists, from 0 to 1: no run could be judged, or there was no run yet. Time in maintenance is
   * subtracted from the window first.
   */
  readonly withoutData: number;
}

/** The formula in words, shown next to percentages. */
export const uptimeFormula =
  '1 − time down ÷ time observed; observed time is the window minus maintenance and minus time that could not be judged; down time runs from the first failed run to the first good one';

/**
 * Returns a function that computes the uptime of a scenario in any window within `input.window`. The work that all windows share is done
 * only once.
 */
export function uptimeWithin(input: UptimeInput): (window: Span) => Uptime {
  const { window: whole, firstRunAt, down, maintenance, gaps } = input;
  const planned = without([whole], maintenance);
  const observed = without(planned, [...gaps, { from: whole.from, to: firstRunAt }]);
  const up = without(observed, down);
  return (window) => {
    const plannedMs = lengthWithin(planned, window);
    const observedMs = lengthWithin(observed, window);
    const downMs = observedMs - lengthWithin(up, window);
    return {
      ...(observedMs > 0 ? { ratio: 1 - downMs / observedMs } : {}),
      downMs,
      observedMs,
      withoutData: plannedMs > 0 ? 1 - observedMs / plannedMs : 1,
    };
  };
}

/** A span of time, `from` inclusive, `to` exclusive; both are epochs, in ms. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The parts of `spans` that don't overlap any of `others`. The `spans` themselves must not overlap. */
function without(spans: readonly Span[], others: readonly Span[]): Span[] {
  const left: Span[] = [];
  let from = Number.NEGATIVE_INFINITY;
  const holes = others.filter((hole) => hole.to > hole.from).sort((a, b) => a.from - b.from);
  for (const hole of [...holes, { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY }]) {
    if (hole.from > from) left.push(...clip(spans, { from, to: hole.from }));
    from = Math.max(from, hole.to);
  }
  return left;
}

function clip(spans: readonly Span[], { from, to }: Span): Span[] {
  const inside = spans.filter((span) => span.from < to && span.to > from);
  return inside.map((span) => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) }));
}

/** How much of a window is covered by `spans`, in ms. The `spans` must not overlap. */
function lengthWithin(spans: readonly Span[], window: Span): number {
  return clip(spans, window).reduce((sum, { from, to }) => sum + to - from, 0);
}
