import { counted } from '../../../config/index.ts';
import { areas } from '../../../spec/index.ts';
import { isNetworkCode } from './connection-cure.ts';
import type { Tried } from './try-areas.ts';

/** One line for each area, for a terminal of 80 columns: what it answered, then what can be done. `now` is an epoch, in ms. */
export function triedLines(all: readonly Tried[], now: number): string[] {
  const width = Math.max(...all.map(({ area }) => areas[area].title.length));
  return all.flatMap((tried) => {
    const { area, text, state, cure, note, ms, headers, certificateEnds } = tried;
    const details = [
      ...(state === 'unreachable' ? [] : [`${Math.round(ms)} ms`]),
      ...(state === 'accepted' ? [`credentials accepted, ${counted(headers, 'header')} sent`] : []),
      ...(state === 'reached' && headers > 0 ? [`its ${counted(headers, 'header')} have values`] : []),
      ...(certificateEnds === undefined ? [] : [`certificate: ${counted(daysLeft(certificateEnds, now), 'day')} left`]),
    ];
    const title = areas[area].title.padEnd(width);
    const indent = ' '.repeat(width + 4);
    return [
      `  ${title}  ${marks[state]} ${text}`,
      ...(details.length > 0 ? [`${indent}${details.join(', ')}`] : []),
      ...(note ? [`${indent}${note}`] : []),
      ...(cure ? [`${indent}${cure}`] : []),
    ];
  });
}

const marks: Readonly<Record<Tried['state'], string>> = {
  accepted: '✓',
  reached: '✓',
  refused: '✗',
  odd: '✗',
  unreachable: '✗',
};

export function isFine({ state }: Pick<Tried, 'state'>): boolean {
  return state === 'accepted' || state === 'reached';
}

/** `3 areas reached, friends refused (401): check ACCESS_TOKEN …`; what several areas have in common is said once. */
export function summaryLine(all: readonly Tried[]): string {
  const reached = all.filter(isFine).length;
  return [`${reached === 0 ? 'no area' : counted(reached, 'area')} reached`, ...problemsOf(all)].join(', ');
}

/** What keeps areas from being reached, each with its cure. */
export function problemsOf(all: readonly Tried[]): string[] {
  const others = Map.groupBy(
    all.filter((tried) => !isFine(tried)),
    ({ state, text }) => (state === 'unreachable' ? `unreachable (${text})` : text),
  );
  return [...others].map(([text, met]) => {
    const cures = [...new Set(met.flatMap(({ cure }) => (cure ? [cure] : [])))];
    return `${listed(met.map(({ area }) => area))} ${text}: ${cures.join('; ')}`;
  });
}

/** A cause that several areas have in common, in a sentence; `undefined` if each has one to itself, or none. */
export function commonCause(all: readonly Tried[]): string | undefined {
  const read = all.filter(({ exchange }) => exchange);
  const every = (test: (tried: Tried) => boolean) => read.length > 1 && read.every(test);
  if (every(({ exchange }) => exchange?.response?.status === 404))
    return 'Every path was answered with 404: the addresses probably lack a prefix that they have in common (e.g. /api), or have one too many.';
  if (every(({ state, text }) => state === 'odd' && text.includes('a page')))
    return 'Every address answers with a page: a login page or a captive portal may be between this machine and the service.';
  if (all.every(({ code }) => code !== undefined && isNetworkCode(code)))
    return 'No address can be reached from here: a VPN, a proxy or a firewall may be between this machine and the service.';
  return undefined;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function daysLeft(ends: number, now: number): number {
  return Math.floor((ends - now) / 86_400_000);
}
