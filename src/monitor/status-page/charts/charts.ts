import { type Phases, phaseNames } from '../../../client/index.ts';
import { milliseconds, runsText } from '../format.ts';
import { html, type Markup } from '../html.ts';
import { chartFrame, type Marks, pointTime, round, ticks, vertical, WIDTH } from './chart-frame.ts';
import type { LatencyPoint, LatencySeries } from './latency-series.ts';

export const percentileNames = ['p50', 'p95', 'p99'] as const;

/** p50, p95 and p99 over time; where nothing was measured, there is no line. */
export function percentileChart(series: LatencySeries, marks: Marks): Markup {
  const { points, whole } = series;
  const axis = ticks(Math.max(1, ...points.map(({ p99 }) => p99 ?? 0)));
  const y = vertical(axis.at(-1) ?? 1);
  const step = WIDTH / points.length;
  const lines = percentileNames.map((name) => {
    const path = pathOf(
      points.map((point) => point[name]),
      (index) => round((index + 0.5) * step),
      y,
    );
    return html`<path class="${name}" d="${path}"/>`;
  });
  const label = `Latency over ${series.range.title}: ${percentileNames.map((name) => `${name} ${milliseconds(whole[name])}`).join(', ')}`;
  const titles = points.map((point) => `${pointTime(series, point.start)}: ${percentilesText(point)}`);
  return chartFrame({ series, axis, marks, label, plot: html`${lines}`, titles });
}

function percentilesText(point: LatencyPoint): string {
  if (point.p50 === undefined) return 'no data';
  return `${percentileNames.map((name) => `${name} ${milliseconds(point[name])}`).join(', ')}; ${runsText(point.runs)}`;
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

/** The mean time of each phase, stacked; absent where no phase was recorded. */
export function phaseChart(series: LatencySeries, marks: Marks): Markup | undefined {
  const { points } = series;
  const totals = points.map(({ phases }) => totalOf(phases));
  const highest = Math.max(0, ...totals);
  if (highest === 0) return undefined;
  const axis = ticks(highest);
  const y = vertical(axis.at(-1) ?? 1);
  const step = WIDTH / points.length;
  const bars = phaseNames.map((name, order) => {
    const below = phaseNames.slice(0, order);
    const path = points.map(({ phases }, index) => {
      const value = phases?.[name];
      if (!phases || !value) return '';
      const bottom = below.reduce((sum, other) => sum + (phases[other] ?? 0), 0);
      const [low, high] = [y(bottom), y(bottom + value)];
      const width = round(step * 0.86);
      return `M${round(index * step)} ${low}V${high}h${width}V${low}z`;
    });
    return html`<path class="phase-${name}" d="${path.join('')}"/>`;
  });
  const titles = points.map(({ start, phases }) => `${pointTime(series, start)}: ${phasesText(phases)}`);
  const label = `Mean time by phase over ${series.range.title}, highest ${milliseconds(highest)}`;
  return chartFrame({ series, axis, marks, label, plot: html`${bars}`, titles });
}

function phasesText(phases: Phases | undefined): string {
  if (!phases) return 'no data';
  return phaseNames.flatMap((name) => (phases[name] ? [`${name} ${milliseconds(phases[name])}`] : [])).join(', ');
}

function totalOf(phases: Phases | undefined): number {
  return phases ? phaseNames.reduce((sum, name) => sum + (phases[name] ?? 0), 0) : 0;
}
