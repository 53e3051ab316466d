import { clip, lengthOf, type Span, without } from './time-spans.ts';

export interface UptimeInput {
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

export function uptime({ window, firstRunAt, down, maintenance, gaps }: UptimeInput): Uptime {
  const planned = without([window], maintenance);
  const blind = [...gaps, { from: window.from, to: Math.min(firstRunAt, window.to) }];
  const observed = without(planned, blind);
  const observedMs = lengthOf(observed);
  const downMs = observed.reduce((sum, span) => sum + lengthOf(clip(down, span)), 0);
  const plannedMs = lengthOf(planned);
  return {
    ...(observedMs > 0 ? { ratio: 1 - downMs / observedMs } : {}),
    downMs,
    observedMs,
    withoutData: plannedMs > 0 ? 1 - observedMs / plannedMs : 1,
  };
}
