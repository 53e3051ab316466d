import { addressesOf, type Cause, type Flip, hostOf, type ScenarioRef, scenarioKey } from './flip.ts';
import type { Handling } from './handling.ts';
import { isTelling, type Told } from './told.ts';

/** A scenario of an incident: how it last went into it, and how it left, if it did. */
export interface Member {
  readonly hit: Flip;
  readonly leave?: Flip;
  /** Ids of all flips with which it went into it. */
  readonly hits: readonly number[];
}

interface Folded {
  readonly members: readonly Member[];
  readonly latest: readonly Flip[];
  readonly open: readonly Flip[];
}

/**
 * A span in which scenarios with one cause were down, could no longer run or be judged: a set of members, made of flips. It only grows;
 * thousands of scenarios join and leave a large one, each in the time that one takes.
 */
export class Incident {
  /** The flip that opened it. */
  readonly id: number;
  /** That of the first flip; `extentOf` has all. */
  readonly environment: string;
  /** That of the first flip; what further flips add is in `extentOf`. */
  readonly cause: Cause;
  /** Every flip into it, in order. */
  readonly hits: Flip[] = [];
  /** Every flip out of it, in order. */
  readonly leaves: Flip[] = [];
  /** Its start: the earliest `since` of its scenarios. */
  since: number;
  until: number | undefined;
  handling: Handling = {};
  readonly told = new Map<string, Told>();
  readonly #members = new Map<string, Member>();
  /** Open hits by everything that others are compared with; a key stays when its hits are over. */
  readonly #openBy = new Map<string, Set<Flip>>();
  /** The flips with which an address, an area and an environment were last seen to work. */
  readonly #worked = new Map<string, number>();
  #folded: Folded | undefined;

  constructor({ id, scenario, cause, since }: Flip) {
    this.id = id;
    this.environment = scenario.environment;
    this.cause = cause;
    this.since = since;
  }

  /** A scenario goes into it; one that was over goes on. */
  hit(flip: Flip): void {
    this.#folded = undefined;
    this.hits.push(flip);
    this.since = Math.min(this.since, flip.since);
    this.until = undefined;
    const name = scenarioKey(flip.scenario);
    const before = this.#members.get(name);
    if (before && !before.leave) this.#close(before.hit);
    this.#members.set(name, { hit: flip, hits: [...(before?.hits ?? []), flip.id] });
    for (const key of keysOf(flip)) {
      const open = this.#openBy.get(key) ?? new Set();
      this.#openBy.set(key, open.add(flip));
    }
  }

  /** A scenario goes out of it; the last one ends it. */
  leave(flip: Flip): void {
    const name = scenarioKey(flip.scenario);
    const member = this.#members.get(name);
    if (!member || member.leave) return;
    this.#folded = undefined;
    this.leaves.push(flip);
    this.#members.set(name, { ...member, leave: flip });
    this.#close(member.hit);
    const { environment } = flip.scenario;
    for (const what of [flip.cause.address, `${environment} ${flip.area}`, environment])
      this.#worked.set(what, flip.id);
    // A calendar that was set back can't end it before it began.
    if (this.#openBy.get(ANY)?.size === 0) this.until = Math.max(this.since, flip.since);
  }

  /** Every member, in the order in which they first went into it. */
  get members(): readonly Member[] {
    return this.#fold().members;
  }

  /** The latest hit of each member: one may have gone down more than once. */
  get latest(): readonly Flip[] {
    return this.#fold().latest;
  }

  /** The latest hits of the scenarios that are still in it. */
  get open(): readonly Flip[] {
    return this.#fold().open;
  }

  /** What it is about: what is open, and when nothing is, all that was. */
  get subject(): readonly Flip[] {
    return this.open.length > 0 ? this.open : this.latest;
  }

  /** Whether a channel believes that it is not over. */
  get isTold(): boolean {
    return this.told.values().some(isTelling);
  }

  /** Whether somebody was told of one of these flips into it, and nothing since: its recovery was not told. */
  isBelieved(hits: readonly Flip[]): boolean {
    return this.told.values().some((told) => isTelling(told) && hits.some(({ id }) => told.hits.has(id)));
  }

  /** These flips of a scenario, from the first one that somebody was told of, and of no recovery since: for them, it has been down from then on. */
  believed(hits: readonly Flip[]): readonly Flip[] {
    const telling = [...this.told.values()].filter(isTelling);
    const first = hits.findIndex(({ id }) => telling.some((told) => told.hits.has(id)));
    return first < 0 ? [] : hits.slice(first);
  }

  holds(scenario: ScenarioRef): boolean {
    const member = this.#members.get(scenarioKey(scenario));
    return member !== undefined && !member.leave;
  }

  some(isMeant: (hit: Flip) => boolean): boolean {
    return this.#open(ANY).some(isMeant);
  }

  hasEnvironment(name: string): boolean {
    return this.#open(`in ${name}`).some(() => true);
  }

  /** Failures end in one phase with one code. */
  hasPattern({ pattern }: Cause): boolean {
    return pattern !== undefined && this.#open(patternKey(pattern)).some(() => true);
  }

  /** An address that is still failing, as far as it was seen. */
  hasAddress(address: string): boolean {
    return this.#open(`at ${address}`).some((hit) => this.#isFailing(address, hit));
  }

  /** Whether somebody was told of a failure at this address. */
  hasTold(address: string): boolean {
    return this.hits.some((hit) => addressesOf(hit).includes(address) && this.isBelieved([hit]));
  }

  hasHost(host: string): boolean {
    const isOnHost = (hit: Flip) => (address: string) => hostOf(address) === host && this.#isFailing(address, hit);
    return this.#open(`on ${host}`).some((hit) => addressesOf(hit).some(isOnHost(hit)));
  }

  /** Open failures with which an environment was seen to fail, that has not been seen to work since. */
  naming(environment: string): readonly Flip[] {
    return [...this.#open(`with ${environment}`).filter((hit) => !this.#hasWorked(environment, hit))];
  }

  /** Whether something of this environment or host is or was part of it. */
  isNear(environmentOrHost: string): boolean {
    return this.#openBy.has(`in ${environmentOrHost}`) || this.#openBy.has(`on ${environmentOrHost}`);
  }

  /** Whether an environment is or was part of it, or was seen to fail with it. */
  isAbout(environment: string): boolean {
    return this.#openBy.has(`in ${environment}`) || this.#openBy.has(`with ${environment}`);
  }

  #open(key: string): IteratorObject<Flip> {
    return (this.#openBy.get(key) ?? new Set<Flip>()).values();
  }

  #close(hit: Flip): void {
    for (const key of keysOf(hit)) this.#openBy.get(key)?.delete(hit);
  }

  /** The first address of a flip is that of its own call. */
  #isFailing(address: string, hit: Flip): boolean {
    return addressesOf(hit)[0] === address || !this.#hasWorked(address, hit);
  }

  #hasWorked(what: string, { id }: Flip): boolean {
    return (this.#worked.get(what) ?? 0) > id;
  }

  #fold(): Folded {
    if (this.#folded) return this.#folded;
    const members = [...this.#members.values()].map(({ hit, ...rest }) => ({
      hit: this.#withoutRecovered(hit),
      ...rest,
    }));
    const latest = members.map(({ hit }) => hit);
    this.#folded = { members, latest, open: members.flatMap(({ hit, leave }) => (leave ? [] : [hit])) };
    return this.#folded;
  }

  /** A flip without what was seen to fail with it and has recovered since. */
  #withoutRecovered(hit: Flip): Flip {
    const { pattern } = hit.cause;
    if (!pattern) return hit;
    const { others, ...rest } = pattern;
    const addresses = rest.addresses.filter((address) => this.#isFailing(address, hit));
    const named = others?.filter((environment) => !this.#hasWorked(environment, hit));
    if (addresses.length === rest.addresses.length && named?.length === others?.length) return hit;
    const { environment } = hit.scenario;
    const areas = rest.areas.filter((area) => area === hit.area || !this.#hasWorked(`${environment} ${area}`, hit));
    const left = { ...rest, addresses, areas, ...(named?.length ? { others: named } : {}) };
    return { ...hit, cause: { ...hit.cause, pattern: left } };
  }
}

/** The key of every open hit. */
const ANY = '';

function keysOf(hit: Flip): string[] {
  const { pattern } = hit.cause;
  const addresses = addressesOf(hit);
  return [
    ANY,
    `in ${hit.scenario.environment}`,
    ...(pattern?.others ?? []).map((name) => `with ${name}`),
    ...(pattern ? [patternKey(pattern)] : []),
    ...addresses.map((address) => `at ${address}`),
    ...new Set(addresses.map((address) => `on ${hostOf(address)}`)),
  ];
}

function patternKey({ phase, code }: NonNullable<Cause['pattern']>): string {
  return `as ${phase} ${code}`;
}
