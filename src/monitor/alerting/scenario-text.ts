import { counted } from '../../config/index.ts';
import { areaTitle } from '../../spec/index.ts';
import { extentOf } from '../status/extent.ts';
import type { Flip } from '../status/flip.ts';
import { familyOf } from '../status/incident.ts';

type Kind = 'down' | 'more' | 'still' | 'up';

/** The headline of scenarios: their expectations broke, or they can't run or be judged. `lasted` is a duration as text. */
export function scenarioText(hits: readonly Flip[], kind: Kind, lasted: string): string {
  const parts = {
    kind,
    named: namedText(hits),
    isOne: isOneTitle(hits),
    count: hits.length,
    where: areasText(hits),
    lasted,
  };
  const [first] = hits;
  const family = first ? familyOf(first.cause) : 'down';
  if (family === 'down') return failingText({ ...parts, what: whatOf(hits) });
  return lackText({ ...parts, what: first?.reason ?? 'something is missing' }, lacks[family]);
}

/** `"block"`, perhaps in several environments; `3 scenarios`. */
export function namedText(hits: readonly Flip[]): string {
  return isOneTitle(hits) ? `"${hits[0]?.scenario.title}"` : counted(hits.length, 'scenario');
}

function isOneTitle(hits: readonly Flip[]): boolean {
  return new Set(hits.map(({ scenario }) => scenario.title)).size === 1;
}

interface Parts {
  readonly kind: Kind;
  readonly named: string;
  readonly isOne: boolean;
  readonly count: number;
  readonly where: string;
  readonly lasted: string;
  /** The address, what all share, or the reason. */
  readonly what: string;
}

function failingText({ kind, named, isOne, count, where, lasted, what }: Parts): string {
  switch (kind) {
    case 'down':
      return `${named} ${isOne ? 'is' : 'are'} failing in ${where} (${what})`;
    case 'more':
      return isOne && count > 1
        ? `${named} is failing in ${where} in ${count} environments now (${what})`
        : `${isOne ? named : 'more scenarios'} ${isOne ? 'is' : 'are'} failing in ${where}${isOne ? '' : `: ${count} now`} (${what})`;
    case 'still':
      return `${named} ${isOne ? `has been failing in ${where} for` : `have been failing in ${where} for up to`} ${lasted} (${what})`;
    case 'up':
      return `${allText(named, isOne, count)} ${isOne ? 'has' : 'have'} recovered in ${where} after ${lasted} (${what})`;
  }
}

const lacks = {
  skipped: { bad: 'can no longer run', good: 'can run again' },
  unjudged: { bad: "can't be judged", good: 'can be judged again' },
} as const;

function lackText(
  { kind, named, isOne, count, where, lasted, what }: Parts,
  { bad, good }: (typeof lacks)['skipped' | 'unjudged'],
): string {
  switch (kind) {
    case 'down':
    case 'still':
      return `${named} ${bad} in ${where}: ${what}`;
    case 'more':
      return isOne
        ? `${named} ${bad} in ${where}: ${what}`
        : `more scenarios ${bad} in ${where}, ${count} now: ${what}`;
    case 'up':
      return `${allText(named, isOne, count)} ${good} in ${where} after ${lasted}`;
  }
}

function allText(named: string, isOne: boolean, count: number): string {
  return isOne ? named : count === 2 ? 'both scenarios' : `all ${named}`;
}

/** `Friends`, `Friends and Stories`, `4 of 6 areas`. */
function areasText(hits: readonly Flip[]): string {
  const titles = extentOf({ hits }).areas.map((area) => areaTitle(area));
  if (titles.length > 3) return `${titles.length} areas`;
  return titles.length < 2 ? (titles[0] ?? 'all areas') : `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}`;
}

function whatOf(hits: readonly Flip[]): string {
  const { addresses, of } = extentOf({ hits });
  const [cause] = hits.map((hit) => hit.cause);
  if (addresses.length < 2) return cause?.address ?? '';
  const named = of > 0 ? `${addresses.length} of ${of} addresses` : counted(addresses.length, 'address', 'addresses');
  return cause?.pattern ? `${named}: status ${cause.pattern.code}` : named;
}
