import type { Span } from '../../status/uptime.ts';
import { milliseconds } from '../format.ts';
import { html, type Markup } from '../html.ts';
import type { LatencyPoint, LatencySeries } from './latency-series.ts';

export interface Marks {
  readonly down: readonly Span[];
  readonly maintenance: readonly Span[];
  /** Times at which the status changed; epochs, in ms. */
  readonly flips: readonly number[];
  /** What was announced, e.g. a release. */
  readonly announced?: readonly { readonly at: number; readonly text: string }[];
}

interface FrameInput {
  readonly series: LatencySeries;
  readonly marks: Marks;
  readonly label: string;
  /** The axis ends at this or above. */
  readonly highest: number;
  /** Draws in `WIDTH` × `HEIGHT`: `step` is the width of a point, `y` the height of a value. */
  readonly plot: (step: number, y: (value: number) => number) => readonly Markup[];
  /** What a point's column says when it is pointed at, behind its time. */
  readonly textOf: (point: LatencyPoint) => string;
}

/** A chart as SVG: the plot is stretched, its texts are not. Each point has a column with a title, so that hovering works without script. */
export function chartFrame({ series, marks, label, highest, plot, textOf }: FrameInput): Markup {
  const { points } = series;
  const axis = ticks(highest);
  const y = vertical(axis.at(-1) ?? 1);
  const step = WIDTH / points.length;
  return html`<svg class="chart" role="img" aria-label="${label}"><svg x="0" y="0" width="100%" height="90%" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">
${axis.map((value) => html`<path class="grid" d="M0 ${y(value)}H${WIDTH}"/>`)}${bands(series, marks)}${plot(step, y)}
<g class="columns">${points.map((point, index) => html`<rect x="${round(index * step)}" y="0" width="${round(step)}" height="${HEIGHT}"><title>${pointTime(series, point.start)}: ${textOf(point)}</title></rect>`)}</g></svg>
${axis.slice(1).map((value) => html`<text x="2" y="${round((y(value) / HEIGHT) * 90) + 5}%">${milliseconds(value)}</text>`)}
<text x="0" y="99%">${dateText(series, series.from)}</text><text x="50%" y="99%" text-anchor="middle">${dateText(series, (series.from + series.to) / 2)}</text><text x="100%" y="99%" text-anchor="end">${dateText(series, series.to)}</text></svg>`;
}

function bands({ from, to }: LatencySeries, { down, maintenance, flips, announced = [] }: Marks): Markup {
  const x = (at: number) => round(((Math.min(Math.max(at, from), to) - from) / (to - from)) * WIDTH);
  const inside = (spans: readonly Span[]) => spans.filter((span) => span.to > from && span.from < to);
  const band = (kind: string, spans: readonly Span[]) =>
    inside(spans).map(
      (span) =>
        html`<rect class="${kind}" x="${x(span.from)}" y="0" width="${Math.max(2, round(x(span.to) - x(span.from)))}" height="${HEIGHT}"/>`,
    );
  return html`${band('in-maintenance', maintenance)}${band('was-down', down)}${flips
    .filter((at) => at >= from && at < to)
    .map((at) => html`<path class="flipped" d="M${x(at)} 0V${HEIGHT}"/>`)}${announced
    .filter(({ at }) => at >= from && at < to)
    .map(({ at, text }) => html`<path class="announced" d="M${x(at)} 0V${HEIGHT}"><title>${text}</title></path>`)}`;
}

function dateText({ range }: LatencySeries, at: number): string {
  const iso = new Date(at).toISOString();
  return range.ms <= 86_400_000 ? `${iso.slice(11, 16)} UTC` : iso.slice(0, 10);
}

/** The time of a point: `2026-11-21 14:00 UTC`, or its day. */
export function pointTime({ range }: LatencySeries, start: number): string {
  const iso = new Date(start).toISOString();
  return range.step < 86_400_000 ? `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC` : iso.slice(0, 10);
}

/** Width and height of a plot in its own units; it is stretched to the space that there is. */
const WIDTH = 1_000;
const HEIGHT = 200;

/** The values of the axis: 0 and up to four more, round ones, the last not below `highest`. */
export function ticks(highest: number): number[] {
  const rough = Math.max(highest, 0.001) / 4;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * magnitude >= rough) ?? 10) * magnitude;
  return Array.from({ length: Math.ceil(Math.max(highest, 0.001) / step - 1e-9) + 1 }, (_, index) => index * step);
}

/** From a value to its height in the plot, 0 at the bottom. */
export function vertical(highest: number): (value: number) => number {
  return (value) => round(HEIGHT - (Math.min(value, highest) / highest) * HEIGHT);
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
