interface UptimeInput {
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
export function uptimeWithin(input: UptimeInput): (window: Span) => Uptime {
  const { window: whole, firstRunAt, down, maintenance, gaps } = input;
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

/** A span of time, `from` inclusive, `to` exclusive; epoch, in ms. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The same time as sorted spans that don't touch. */
export function union(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].filter(({ from, to }) => to > from).sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && span.from <= last.to) merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else merged.push(span);
  }
  return merged;
}

export function clip(spans: readonly Span[], { from, to }: Span): Span[] {
  const inside = spans.filter((span) => span.from < to && span.to > from);
  return union(inside.map((span) => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) })));
}

export function without(spans: readonly Span[], others: readonly Span[]): Span[] {
  const holes = union(others);
  const starts = [Number.NEGATIVE_INFINITY, ...holes.map(({ to }) => to)];
  const between = starts.map((from, index) => ({ from, to: holes[index]?.from ?? Number.POSITIVE_INFINITY }));
  return intersection(spans, between);
}

export function intersection(spans: readonly Span[], others: readonly Span[]): Span[] {
  return others.length === 0 ? [] : union(spans).flatMap((span) => clip(others, span));
}

/** How much of a window is in spans that don't overlap, in ms. */
export function lengthWithin(spans: readonly Span[], { from, to }: Span): number {
  let sum = 0;
  for (const span of spans)
    if (span.from < to && span.to > from) sum += Math.min(span.to, to) - Math.max(span.from, from);
  return sum;
}
