import { addressesOf, extentOf, hostOf } from './extent.ts';
import type { Flip, ScenarioRef } from './flip.ts';
import { familyOf, type Incident, isConnection, membersOf, nameOf, openHits } from './incident.ts';

export interface JoinRule {
  /** How far apart failures with one cause can be noticed: an interval and a confirmation, in ms. */
  readonly withinMs: number;
  readonly isMuted: (incident: Incident) => boolean;
  /** Whether notices of this environment are kept back now: its failures stand for no other environment. */
  readonly isMaintenance: (environment: string) => boolean;
  /** Whether somebody still believes that a scenario is down with an incident: its recovery was not told. */
  readonly isBelieved: (incident: Incident, scenario: ScenarioRef) => boolean;
}

type NewFlip = Pick<Flip, 'scenario' | 'since' | 'cause' | 'reason' | 'verdict'>;

/** An incident that is open, with what is open of it: what it once held stands for nothing. */
interface Candidate {
  readonly incident: Incident;
  readonly open: readonly Flip[];
}

/**
 * The incident that a scenario joins, because it failed for the same reason; `undefined`: it opens one. `unsettled` are those that
 * are over without everybody knowing: what fails again before its recovery was told belongs where it was.
 */
export function joinedIncident(
  flip: NewFlip,
  open: Iterable<Incident>,
  unsettled: Iterable<Incident>,
  rule: JoinRule,
): Incident | undefined {
  const isFamily = ({ cause }: Incident) => familyOf(cause) === familyOf(flip.cause);
  const all = [...open].filter(isFamily);
  const again = [...all, ...[...unsettled].filter(isFamily)].find((incident) =>
    rule.isBelieved(incident, flip.scenario),
  );
  if (again) return again;
  const candidates = all.map((incident) => ({ incident, open: openHits(incident) }));
  const { environment } = flip.scenario;
  const own = candidates.filter((one) => one.open.some(({ scenario }) => scenario.environment === environment));
  return (joinedWithin(flip, own, rule) ?? joinedAcross(flip, candidates, rule))?.incident;
}

/** Of those that are open in its own environment. */
function joinedWithin(flip: NewFlip, own: readonly Candidate[], rule: JoinRule): Candidate | undefined {
  const { cause } = flip;
  // A muted incident takes in only what its notice already named, so that nothing new stays silent.
  const isAudible = ({ incident }: Candidate) => !rule.isMuted(incident);
  // Reasons of one lack differ: they count what is used up.
  if (familyOf(cause) !== 'down')
    return own.find((one) => isAudible(one) && (cause.kind === 'unjudged' || coversAddress(flip, one)));
  const alike = own.filter(({ incident }) => isConnection(incident.cause) === isConnection(cause));
  const together = (one: Candidate) =>
    isAudible(one) && hasSamePattern(flip, one) && (isSoon(flip, one, rule) || wasIn(flip, one));
  if (isConnection(cause))
    return (
      alike.find((one) => hasSamePattern(flip, one) && coversAddress(flip, one, isAudible(one))) ?? alike.find(together)
    );
  return alike.find((one) => isAudible(one) && coversAddress(flip, one)) ?? alike.find(together);
}

/** Of those of other environments: on the same host, which is gone or fails whatever is asked, or at the same address. */
function joinedAcross(flip: NewFlip, all: readonly Candidate[], rule: JoinRule): Candidate | undefined {
  const { cause, scenario } = flip;
  if (cause.kind === 'skipped' || rule.isMaintenance(scenario.environment)) return undefined;
  const isSameCause = cause.kind === 'unjudged' ? isSameObstacle : isOfHost(flip) ? isSameOutage : isSameBreach;
  return all
    .filter((one) => isSameCause(flip, one) && !one.open.some((hit) => rule.isMaintenance(hit.scenario.environment)))
    .find(
      (one) =>
        isNamed(flip, one, rule) || (!rule.isMuted(one.incident) && (wasIn(flip, one) || isSoon(flip, one, rule))),
    );
}

/** The suite itself is kept from judging, for one reason: this machine is offline, or the same limit holds everywhere. */
function isSameObstacle({ reason }: NewFlip, { open }: Candidate): boolean {
  return reason !== undefined && open.some((hit) => hit.reason === reason);
}

function isSameOutage(flip: NewFlip, one: Candidate): boolean {
  return (
    isConnection(one.incident.cause) === isConnection(flip.cause) && hasSamePattern(flip, one) && sharesHost(flip, one)
  );
}

/** One expectation, broken at one address: the service broke it, whoever asks. */
function isSameBreach(flip: NewFlip, one: Candidate): boolean {
  return (
    flip.cause.pattern === undefined &&
    coversAddress(flip, one) &&
    one.open.some(
      ({ scenario, verdict, cause }) =>
        cause.pattern === undefined && scenario.title === flip.scenario.title && verdict === flip.verdict,
    )
  );
}

/** Nothing usable came back, or an error of the server: other environments on the host have it for the same reason. */
function isOfHost({ cause }: NewFlip): boolean {
  return isConnection(cause) || (cause.pattern?.code ?? '').startsWith('5');
}

/** It was in the incident before, and recovered while others did not. */
function wasIn({ scenario }: NewFlip, { incident }: Candidate): boolean {
  return membersOf(incident).has(nameOf(scenario));
}

function isSoon({ since }: NewFlip, { open }: Candidate, { withinMs }: JoinRule): boolean {
  return open.some((hit) => Math.abs(since - hit.since) <= withinMs);
}

/** Its environment was seen to fail with one that is still down, just now. */
function isNamed({ scenario, since }: NewFlip, { open }: Candidate, { withinMs }: JoinRule): boolean {
  return open.some(
    ({ cause, since: then }) =>
      cause.pattern?.others?.includes(scenario.environment) && Math.abs(since - then) <= withinMs,
  );
}

function hasSamePattern({ cause: { pattern } }: NewFlip, { open }: Candidate): boolean {
  return (
    pattern !== undefined &&
    open.some(({ cause }) => cause.pattern?.phase === pattern.phase && cause.pattern.code === pattern.code)
  );
}

/** The first address of a flip is that of its own call; others were seen to fail with it. */
function coversAddress(flip: NewFlip, { open }: Candidate, isAnyEnough = true): boolean {
  const { addresses } = extentOf({ hits: open });
  const failing = addressesOf(flip);
  return (isAnyEnough ? failing : failing.slice(0, 1)).some((address) => addresses.includes(address));
}

function sharesHost(flip: NewFlip, { open }: Candidate): boolean {
  const { hosts } = extentOf({ hits: open });
  return addressesOf(flip).some((address) => hosts.has(hostOf(address)));
}
