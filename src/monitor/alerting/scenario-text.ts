import { counted } from '../../config/index.ts';
import { areaTitle } from '../../spec/index.ts';
import { durationText } from '../duration-text.ts';
import { extentOf } from '../status/extent.ts';
import { type Incident, latestHits, openHits } from '../status/incident.ts';
import type { NoticeKind } from '../status/notification-policy.ts';

/** The headline of an incident of scenarios: their expectations broke, or they can no longer run. */
export function scenarioText(incident: Incident, kind: NoticeKind, now: number): string {
  const hits = kind === 'up' ? latestHits(incident) : openHits(incident);
  // One scenario, perhaps in several environments: the line begins with their names.
  const isOne = new Set(hits.map(({ scenario }) => scenario.title)).size === 1;
  const named = isOne ? `"${hits[0]?.scenario.title}"` : counted(hits.length, 'scenario');
  const where = areasText(incident);
  const text = incident.cause.kind === 'skipped' ? skippedText : failingText;
  const since = Math.min(...hits.map((hit) => hit.since));
  const lasted = durationText(kind === 'up' ? (incident.until ?? now) - incident.since : Math.max(0, now - since));
  return text({ kind, named, isOne, count: hits.length, where, lasted, what: whatOf(incident) });
}

interface Parts {
  readonly kind: NoticeKind;
  readonly named: string;
  readonly isOne: boolean;
  readonly count: number;
  readonly where: string;
  readonly lasted: string;
  /** In brackets: the address, or what all share. */
  readonly what: string;
}

function failingText({ kind, named, isOne, count, where, lasted, what }: Parts): string {
  switch (kind) {
    case 'down':
      return `${named} ${isOne ? 'is' : 'are'} failing in ${where} (${what})`;
    case 'more':
      return isOne && count > 1
        ? `${named} is failing in ${where} in ${count} environments now (${what})`
        : `more scenarios are failing in ${where}: ${count} now (${what})`;
    case 'still':
      return `${named} ${isOne ? `has been failing in ${where} for` : `have been failing in ${where} for up to`} ${lasted} (${what})`;
    case 'up':
      return `${recovering(named, isOne, count)} recovered in ${where} after ${lasted} (${what})`;
  }
}

function skippedText({ kind, named, isOne, count, where, lasted, what }: Parts): string {
  switch (kind) {
    case 'down':
    case 'still':
      return `${named} can no longer run in ${where}: ${what}`;
    case 'more':
      return `more scenarios can no longer run in ${where}, ${count} now: ${what}`;
    case 'up':
      return `${isOne ? named : count === 2 ? 'both scenarios' : `all ${named}`} can run again in ${where} after ${lasted}`;
  }
}

function recovering(named: string, isOne: boolean, count: number): string {
  if (isOne) return `${named} has`;
  return `${count === 2 ? 'both scenarios' : `all ${named}`} have`;
}

/** `Friends`, `Friends and Stories`, `4 of 6 areas`. */
function areasText(incident: Incident): string {
  const titles = extentOf(incident).areas.map((area) => areaTitle(area));
  if (titles.length > 3) return `${titles.length} areas`;
  return titles.length < 2 ? (titles[0] ?? 'all areas') : `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}`;
}

function whatOf(incident: Incident): string {
  const { cause, hits } = incident;
  if (cause.kind === 'skipped') return hits[0]?.reason ?? 'something is missing';
  const { addresses, of } = extentOf(incident);
  if (addresses.length < 2) return cause.address;
  const named = of > 0 ? `${addresses.length} of ${of} addresses` : counted(addresses.length, 'address', 'addresses');
  return cause.pattern ? `${named}: status ${cause.pattern.code}` : named;
}
