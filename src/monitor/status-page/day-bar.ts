import { html, type Markup } from './html.ts';

/** A day in a bar: without data, up, partly down (from 99 % up), down. */
type DayCode = '-' | 'u' | 'p' | 'd';

export function dayCode(ratio: number | undefined, runs: number): DayCode {
  if (runs === 0 || ratio === undefined) return '-';
  if (ratio === 1) return 'u';
  return ratio >= 0.99 ? 'p' : 'd';
}

const gravity = '-upd';

export function worstDays(all: readonly string[]): string {
  const length = Math.max(0, ...all.map((days) => days.length));
  return Array.from({ length }, (_, index) =>
    all.reduce<string>((worst, days) => {
      const code = days[index] ?? '-';
      return gravity.indexOf(code) > gravity.indexOf(worst) ? code : worst;
    }, '-'),
  ).join('');
}

const classes = { '-': 'none', u: 'up', p: 'degraded', d: 'down' } as const;
const words = { u: 'up', p: 'partly down', d: 'down' } as const;

/** A bar of days, a `DayCode` each: few bytes, because days in a row with one code are one stroke, dashed into days. */
export function dayBar(days: string): Markup {
  const strokes = new Map<string, string>();
  for (const { 0: equal, index } of days.matchAll(/(.)\1*/g)) {
    const code = equal.charAt(0);
    strokes.set(code, `${strokes.get(code) ?? ''}M${index} 5h${equal.length}`);
  }
  return html`<svg class="daybar" viewBox="0 0 ${days.length} 10" preserveAspectRatio="none" role="img" aria-label="${summary(days)}">${[...strokes].map(([code, path]) => html`<path class="${classes[code as keyof typeof classes]}" d="${path}"/>`)}</svg>`;
}

/** `90 days: 88 up, 1 down, 1 without data`. */
function summary(days: string): string {
  const counts = (['u', 'p', 'd'] as const).flatMap((code) => {
    const count = days.split(code).length - 1;
    return count > 0 ? [`${count} ${words[code]}`] : [];
  });
  const without = days.split('-').length - 1;
  return `${days.length} days: ${[...counts, ...(without > 0 ? [`${without} without data`] : [])].join(', ')}`;
}
