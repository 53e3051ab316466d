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
  return union(spans.map((span) => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) })));
}

/** `spans` without the time of `others`. */
export function without(spans: readonly Span[], others: readonly Span[]): Span[] {
  const holes = union(others);
  return union(spans).flatMap((span) => {
    const left: Span[] = [];
    let { from } = span;
    for (const hole of holes) {
      if (hole.to <= from || hole.from >= span.to) continue;
      if (hole.from > from) left.push({ from, to: hole.from });
      from = Math.max(from, hole.to);
    }
    if (from < span.to) left.push({ from, to: span.to });
    return left;
  });
}

/** The time that is in both. */
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

/** Total length of spans that don't overlap, in ms. */
export function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0);
}
