import { addressesOf, extentOf, hostOf } from './extent.ts';
import type { Flip } from './flip.ts';
import { type Incident, isConnection } from './incident.ts';

export interface JoinRule {
  /** How far apart failures with one cause can be noticed: an interval and a confirmation, in ms. */
  readonly withinMs: number;
  readonly isMuted: (incident: Incident) => boolean;
  /** Whether notices of this environment are kept back now: its failures stand for no other environment. */
  readonly isMaintenance: (environment: string) => boolean;
}

type NewFlip = Pick<Flip, 'scenario' | 'since' | 'cause' | 'reason' | 'verdict'>;

/** The open incident that a scenario joins, because it failed for the same reason; `undefined`: it opens one. */
export function joinedIncident(flip: NewFlip, open: Iterable<Incident>, rule: JoinRule): Incident | undefined {
  const all = [...open];
  const { environment } = flip.scenario;
  const isPart = ({ open: scenarios }: Incident) => scenarios.some((scenario) => scenario.environment === environment);
  return joinedWithin(flip, all.filter(isPart), rule) ?? joinedAcross(flip, all, rule);
}

/** Of those that are open in its own environment. */
function joinedWithin(flip: NewFlip, open: readonly Incident[], rule: JoinRule): Incident | undefined {
  const { cause } = flip;
  const candidates = open.filter(
    ({ cause: known }) =>
      // Reasons of one lack differ: they count what is used up.
      (known.kind === 'skipped') === (cause.kind === 'skipped') && isConnection(known) === isConnection(cause),
  );
  // A muted incident takes in only what its notice already named, so that nothing new stays silent.
  const audible = candidates.filter((incident) => !rule.isMuted(incident));
  const together = (incident: Incident) => hasSamePattern(flip, incident) && isSoon(flip, incident, rule);
  if (isConnection(cause))
    return (
      candidates.find((incident) => hasSamePattern(flip, incident) && coversAddress(flip, incident)) ??
      audible.find(together)
    );
  return audible.find((incident) => coversAddress(flip, incident)) ?? audible.find(together);
}

/** Of those of other environments: on the same host, which is gone or fails whatever is asked, or at the same address. */
function joinedAcross(flip: NewFlip, open: readonly Incident[], rule: JoinRule): Incident | undefined {
  const { cause, scenario } = flip;
  if (cause.kind === 'skipped' || rule.isMaintenance(scenario.environment)) return undefined;
  const isSameCause = isOfHost(flip) ? isSameOutage : isSameBreach;
  const candidates = open.filter(
    (incident) => isSameCause(flip, incident) && !rule.isMaintenance(incident.environment),
  );
  return (
    candidates.find((incident) => extentOf(incident).environments.includes(scenario.environment)) ??
    candidates.find((incident) => !rule.isMuted(incident) && isSoon(flip, incident, rule))
  );
}

function isSameOutage(flip: NewFlip, incident: Incident): boolean {
  return (
    isConnection(incident.cause) === isConnection(flip.cause) &&
    hasSamePattern(flip, incident) &&
    sharesHost(flip, incident)
  );
}

/** One expectation, broken at one address: the service broke it, whoever asks. */
function isSameBreach(flip: NewFlip, incident: Incident): boolean {
  const isBreach = ({ kind, pattern }: Flip['cause']) => kind !== 'skipped' && pattern === undefined;
  return (
    isBreach(flip.cause) &&
    isBreach(incident.cause) &&
    coversAddress(flip, incident) &&
    incident.hits.some(({ scenario, verdict }) => scenario.title === flip.scenario.title && verdict === flip.verdict)
  );
}

/** Nothing usable came back, or an error of the server: other environments on the host have it for the same reason. */
function isOfHost({ cause }: NewFlip): boolean {
  return isConnection(cause) || (cause.pattern?.code ?? '').startsWith('5');
}

function isSoon({ since }: NewFlip, incident: Incident, { withinMs }: JoinRule): boolean {
  return Math.abs(since - incident.since) <= withinMs;
}

function hasSamePattern({ cause: { pattern } }: NewFlip, { cause: { pattern: known } }: Incident): boolean {
  return pattern !== undefined && pattern.phase === known?.phase && pattern.code === known.code;
}

function coversAddress(flip: NewFlip, incident: Incident): boolean {
  const { addresses } = extentOf(incident);
  return addressesOf(flip).some((address) => addresses.includes(address));
}

function sharesHost(flip: NewFlip, incident: Incident): boolean {
  const { hosts } = extentOf(incident);
  return addressesOf(flip).some((address) => hosts.has(hostOf(address)));
}
