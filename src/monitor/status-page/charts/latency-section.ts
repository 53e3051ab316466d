import { phaseNames } from '../../../client/index.ts';
import { count, milliseconds } from '../format.ts';
import { html, type Markup } from '../html.ts';
import { type Marks, pointTime } from './chart-frame.ts';
import { percentileChart, percentileNames, phaseChart } from './charts.ts';
import { type LatencySeries, ranges } from './latency-series.ts';

/** Latency as two charts over one of the ranges, and as a table. */
export function latencySection(series: LatencySeries, marks: Marks, path: string): Markup {
  const { range, whole } = series;
  const phases = phaseChart(series, marks);
  return html`<section id="latency" aria-labelledby="latency-title"><h2 id="latency-title">Latency</h2>
<nav class="ranges" aria-label="Range">${ranges.map(({ name, title }) => html`<a href="${path}?range=${name}#latency"${name === range.name && html` aria-current="true"`}>${title}</a>`)}</nav>
<figure><figcaption>Calls of a run, without the suite’s own time: ${percentileNames.map((name) => html`<span class="key ${name}">${name} <b>${milliseconds(whole[name])}</b></span> `)}${marksKey(marks)}</figcaption>
${percentileChart(series, marks)}<output class="pointed" aria-hidden="true"></output></figure>
${phases && phaseFigure(phases)}${table(series)}</section>`;
}

function phaseFigure(chart: Markup): Markup {
  return html`<figure><figcaption>Mean time by phase, summed over the calls of a run: ${phaseNames.map((name) => html`<span class="key phase-${name}">${name}</span> `)}</figcaption>
${chart}<output class="pointed" aria-hidden="true"></output></figure>`;
}

function marksKey({ down, maintenance, flips, announced = [] }: Marks): Markup {
  return html`${down.length > 0 && html`<span class="key was-down">down</span> `}${flips.length > 0 && html`<span class="key flipped">state changed</span> `}${maintenance.length > 0 && html`<span class="key in-maintenance">maintenance</span> `}${announced.map(({ text }) => html`<span class="key announced">${text}</span> `)}`;
}

function table(series: LatencySeries): Markup {
  const measured = series.points.filter(({ p50 }) => p50 !== undefined).reverse();
  return html`<details><summary>The same as a table</summary><div class="scroll" tabindex="0" role="region" aria-label="Latency by time"><table>
<thead><tr><th scope="col">Time<th scope="col">Runs${[...percentileNames, ...phaseNames].map((name) => html`<th scope="col">${name}`)}</tr></thead>
<tbody>${measured.map(
    (point) =>
      html`<tr><th scope="row">${pointTime(series, point.start)}<td>${count(point.runs)}${percentileNames.map((name) => html`<td>${milliseconds(point[name])}`)}${phaseNames.map((name) => html`<td>${milliseconds(point.phases?.[name])}`)}</tr>
`,
  )}</tbody></table></div></details>`;
}
