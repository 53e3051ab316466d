import { intersection, lengthWithin, type Span, without } from './time-spans.ts';

export interface UptimeInput {
  /** Everything that may be asked for. */
  readonly window: Span;
  /** The first run; time before it counts neither way. */
  readonly firstRunAt: number;
  /** From its flips. */
  readonly down: readonly Span[];
  readonly maintenance: readonly Span[];
  /** Time in which nothing could be judged. */
  readonly gaps: readonly Span[];
}

export interface Uptime {
  /** 0 to 1; absent if nothing was observed. */
  readonly ratio?: number;
  readonly downMs: number;
  readonly observedMs: number;
  /** 0 to 1: the share of the window, without maintenance, in which nothing could be judged. */
  readonly withoutData: number;
}

/** The formula in words, shown next to percentages. */
export const uptimeFormula =
  '1 − time down ÷ time observed; observed time is the window minus maintenance and minus time that could not be judged; down time runs from the first failed run to the first good one';

/** The uptime of a scenario in any window within `whole`; what windows have in common is computed once. */
export function uptimeWithin({
  window: whole,
  firstRunAt,
  down,
  maintenance,
  gaps,
}: UptimeInput): (window: Span) => Uptime {
  const planned = without([whole], maintenance);
  const observed = without(planned, [...gaps, { from: whole.from, to: Math.min(firstRunAt, whole.to) }]);
  const bad = intersection(observed, down);
  return (window) => {
    const plannedMs = lengthWithin(planned, window);
    const observedMs = lengthWithin(observed, window);
    const downMs = lengthWithin(bad, window);
    return {
      ...(observedMs > 0 ? { ratio: 1 - downMs / observedMs } : {}),
      downMs,
      observedMs,
      withoutData: plannedMs > 0 ? 1 - observedMs / plannedMs : 1,
    };
  };
}
