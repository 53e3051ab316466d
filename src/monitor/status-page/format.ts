import { durationText, utcText } from '../status/texts.ts';
import type { Uptime } from '../status/uptime.ts';
import { html, type Markup } from './html.ts';

/** `99.95 %`, never rounded up to 100: that would hide a failure. */
export function percent(ratio: number | undefined): string {
  if (ratio === undefined) return '—';
  if (ratio === 1) return '100\u00a0%';
  const digits = ratio > 0.99 ? 3 : 2;
  const floored = Math.floor(ratio * 100 * 10 ** digits) / 10 ** digits;
  return `${floored.toFixed(digits).replace(/(\.\d\d)0$/, '$1')}\u00a0%`;
}

/** An uptime as a percentage; where most of its window has no data, with the time that it stands for: `100 % of 2 h`. */
export function uptimeText({ ratio, withoutData, observedMs }: Uptime): string {
  if (ratio === undefined) return '—';
  return withoutData > 0.5 ? `${percent(ratio)} of ${durationText(observedMs)}` : percent(ratio);
}

/** A share as a percentage: only zero itself shows as 0 %, only all of it as 100 %. */
export function share(ratio: number): string {
  if (ratio === 0) return '0 %';
  if (ratio < 0.01) return '< 1 %';
  return ratio < 1 && ratio > 0.99 ? '> 99 %' : `${Math.round(ratio * 100)} %`;
}

export function milliseconds(ms: number | undefined): string {
  if (ms === undefined) return '—';
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms >= 100 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}

export function runsText(runs: number): string {
  return `${count(runs)} ${runs === 1 ? 'run' : 'runs'}`;
}

/** A whole number with commas. Node's own way keeps its data of all languages in memory from then on, 5 MB. */
export function count(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A moment in UTC, to the second, as a `time` element. */
export function moment(at: number): Markup {
  return html`<time datetime="${new Date(at).toISOString()}">${utcText(at)}</time>`;
}
