import type { Flip } from './flip.ts';
import { extentOf, type Incident, isConnection } from './incident.ts';

export interface JoinRule {
  /** How far apart failures with one cause can be noticed: an interval and a confirmation, in ms. */
  readonly withinMs: number;
  readonly isMuted: (incident: Incident) => boolean;
}

type NewFlip = Pick<Flip, 'scenario' | 'since' | 'cause' | 'reason'>;

/** The open incident that a scenario joins, because it failed for the same reason; `undefined`: it opens one. */
export function joinedIncident(
  flip: NewFlip,
  open: Iterable<Incident>,
  { withinMs, isMuted }: JoinRule,
): Incident | undefined {
  const { cause, scenario } = flip;
  const candidates = [...open].filter(
    ({ environment, cause: known }) =>
      environment === scenario.environment &&
      // Reasons of one lack differ: they count what is used up.
      (known.kind === 'skipped') === (cause.kind === 'skipped') &&
      isConnection(known) === isConnection(cause),
  );
  // A muted incident takes in only what its notice already named, so that nothing new stays silent.
  const audible = candidates.filter((incident) => !isMuted(incident));
  const together = (incident: Incident) =>
    hasSamePattern(flip, incident) && Math.abs(flip.since - incident.since) <= withinMs;
  if (isConnection(cause))
    return (
      candidates.find((incident) => hasSamePattern(flip, incident) && coversAddress(flip, incident)) ??
      audible.find(together)
    );
  return audible.find((incident) => coversAddress(flip, incident)) ?? audible.find(together);
}

function hasSamePattern({ cause: { pattern } }: NewFlip, { cause: { pattern: known } }: Incident): boolean {
  return pattern !== undefined && pattern.phase === known?.phase && pattern.code === known.code;
}

function coversAddress({ cause }: NewFlip, incident: Incident): boolean {
  const { addresses } = extentOf(incident);
  return (cause.pattern?.addresses ?? [cause.address]).some((address) => addresses.includes(address));
}
