import { type Phases, phaseNames } from '../../../client/index.ts';
import { milliseconds } from '../format.ts';
import { html, type Markup } from '../html.ts';
import { chartFrame, type Marks, pointTime } from './chart-frame.ts';
import type { LatencySeries } from './latency-series.ts';
import { round, ticks, vertical, WIDTH } from './scale.ts';

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

export function phasesText(phases: Phases | undefined): string {
  if (!phases) return 'no data';
  return phaseNames.flatMap((name) => (phases[name] ? [`${name} ${milliseconds(phases[name])}`] : [])).join(', ');
}

function totalOf(phases: Phases | undefined): number {
  return phases ? phaseNames.reduce((sum, name) => sum + (phases[name] ?? 0), 0) : 0;
}
