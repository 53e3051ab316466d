import type { Span } from '../../status/uptime.ts';
import { count, milliseconds, runsText } from '../format.ts';
import { html, type Markup } from '../html.ts';
import { type LatencySeries, type Percentiles, percentileNames, ranges } from './latency-series.ts';

export interface Marks {
  readonly down: readonly Span[];
  readonly maintenance: readonly Span[];
  /** Times at which the status changed; epochs, in ms. */
  readonly flips: readonly number[];
  /** What was announced, e.g. a release. */
  readonly announced: readonly { readonly at: number; readonly text: string }[];
}

export function latencySection(series: LatencySeries, marks: Marks, path: string): Markup {
  const { range, whole } = series;
  const { down, maintenance, flips, announced } = marks;
  return html`<section id="latency" aria-labelledby="latency-title"><h2 id="latency-title">Latency</h2>
<nav class="ranges" aria-label="Range">${ranges.map(({ name, title }) => html`<a href="${path}?range=${name}#latency"${name === range.name && html` aria-current="true"`}>${title}</a>`)}</nav>
<figure><figcaption>Calls of a run, without the suite’s own time: ${percentileNames.map((name) => html`<span class="key ${name}">${name} <b>${milliseconds(whole[name])}</b></span> `)}${down.length > 0 && html`<span class="key was-down">down</span> `}${flips.length > 0 && html`<span class="key flipped">state changed</span> `}${maintenance.length > 0 && html`<span class="key in-maintenance">maintenance</span> `}${announced.map(({ text }) => html`<span class="key announced">${text}</span> `)}</figcaption>
${percentileChart(series, marks)}<output class="pointed" aria-hidden="true"></output></figure>
${table(series)}</section>`;
}

function table(series: LatencySeries): Markup {
  const measured = series.points.filter(({ p50 }) => p50 !== undefined).reverse();
  return html`<details><summary>The same as a table</summary><div class="scroll" tabindex="0" role="region" aria-label="Latency by time"><table>
<thead><tr><th scope="col">Time<th scope="col">Runs${percentileNames.map((name) => html`<th scope="col">${name}`)}</tr></thead>
<tbody>${measured.map(
    (point) =>
      html`<tr><th scope="row">${pointTime(series, point.start)}<td>${count(point.runs)}${percentileNames.map((name) => html`<td>${milliseconds(point[name])}`)}</tr>
`,
  )}</tbody></table></div></details>`;
}

/**
 * p50, p95 and p99 over time as SVG; where nothing was measured, there is no line. The plot is stretched, its texts are not. Each point has a
 * column with a title, so that hovering works without script.
 */
export function percentileChart(series: LatencySeries, marks: Marks): Markup {
  const { points, whole } = series;
  const axis = ticks(Math.max(1, ...points.map(({ p99 }) => p99 ?? 0)));
  const y = vertical(axis.at(-1) ?? 1);
  const step = WIDTH / points.length;
  const label = `Latency over ${series.range.title}: ${percentilesText(whole)}`;
  const lines = percentileNames.map((name) => {
    const values = points.map((point) => point[name]);
    return html`<path class="${name}" d="${pathOf(values, (index) => round((index + 0.5) * step), y)}"/>`;
  });
  return html`<svg class="chart" role="img" aria-label="${label}"><svg x="0" y="0" width="100%" height="90%" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">
${axis.map((value) => html`<path class="grid" d="M0 ${y(value)}H${WIDTH}"/>`)}${bands(series, marks)}${lines}
<g class="columns">${points.map((point, index) => html`<rect x="${round(index * step)}" y="0" width="${round(step)}" height="${HEIGHT}"><title>${pointTime(series, point.start)}: ${point.p50 === undefined ? 'no data' : `${percentilesText(point)}; ${runsText(point.runs)}`}</title></rect>`)}</g></svg>
${axis.slice(1).map((value) => html`<text x="2" y="${round((y(value) / HEIGHT) * 90) + 5}%">${milliseconds(value)}</text>`)}
<text x="0" y="99%">${dateText(series, series.from)}</text><text x="50%" y="99%" text-anchor="middle">${dateText(series, (series.from + series.to) / 2)}</text><text x="100%" y="99%" text-anchor="end">${dateText(series, series.to)}</text></svg>`;
}

function percentilesText(of: Percentiles): string {
  return percentileNames.map((name) => `${name} ${milliseconds(of[name])}`).join(', ');
}

/** A line through the values that there are; a value between two gaps is a short stroke. */
export function pathOf(
  values: readonly (number | undefined)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  let path = '';
  for (const [index, value] of values.entries()) {
    if (value === undefined) continue;
    const isFirst = values[index - 1] === undefined;
    const isAlone = isFirst && values[index + 1] === undefined;
    path += isAlone ? `M${x(index) - 2} ${y(value)}h4` : `${isFirst ? 'M' : 'L'}${x(index)} ${y(value)}`;
  }
  return path;
}

function bands({ from, to }: LatencySeries, { down, maintenance, flips, announced }: Marks): Markup {
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
function pointTime({ range }: LatencySeries, start: number): string {
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

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
