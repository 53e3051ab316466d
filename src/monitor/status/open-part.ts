import { addressesOf, hostOf } from './extent.ts';
import type { Flip, ScenarioRef } from './flip.ts';
import { nameOf } from './incident.ts';

/** How many open hits name an address as their own, and as seen to fail with it since it was last seen to work. */
interface Named {
  own: number;
  others: number;
  worked: number;
}

/** What is open of an incident, counted: thousands of scenarios join and leave a large one, each in the time that one takes. */
export class OpenPart {
  readonly #hits = new Map<string, Flip>();
  readonly #addresses = new Map<string, Named>();
  readonly #worked = new Map<string, number>();
  readonly #named = new Map<string, Flip[]>();
  readonly #environments = new Counter();
  readonly #patterns = new Counter();
  readonly #hosts = new Counter();
  #scenarios: readonly ScenarioRef[] | undefined;

  get scenarios(): readonly ScenarioRef[] {
    this.#scenarios ??= [...this.#hits.values()].map(({ scenario }) => scenario);
    return this.#scenarios;
  }

  get isEmpty(): boolean {
    return this.#hits.size === 0;
  }

  get environments(): MapIterator<string> {
    return this.#environments.names;
  }

  hasEnvironment(name: string): boolean {
    return this.#environments.has(name);
  }

  /** Failures end in one phase with one code. */
  hasPattern(flip: Pick<Flip, 'cause'>): boolean {
    return this.#patterns.has(patternOf(flip));
  }

  /** An address that is still failing, as far as it was seen. */
  hasAddress(address: string): boolean {
    const { own = 0, others = 0 } = this.#addresses.get(address) ?? {};
    return own + others > 0;
  }

  hasHost(host: string): boolean {
    return this.#hosts.has(host);
  }

  some(isMeant: (hit: Flip) => boolean): boolean {
    return this.#hits.values().some(isMeant);
  }

  /** Open failures with which an environment was seen to fail, that has not been seen to work since. */
  naming(environment: string): readonly Flip[] {
    const worked = this.#worked.get(environment) ?? 0;
    const named = this.#named.get(environment) ?? [];
    return named.filter((hit) => hit.id > worked && this.#hits.get(nameOf(hit.scenario)) === hit);
  }

  add(hit: Flip): void {
    this.#scenarios = undefined;
    this.#hits.set(nameOf(hit.scenario), hit);
    this.#count(hit, 1);
    for (const other of hit.cause.pattern?.others ?? [])
      this.#named.set(other, [...(this.#named.get(other) ?? []), hit]);
  }

  /** Takes a scenario out with the flip that ends its failure. */
  remove(leave: Flip): void {
    const name = nameOf(leave.scenario);
    const hit = this.#hits.get(name);
    if (!hit) return;
    this.#scenarios = undefined;
    this.#count(hit, -1);
    this.#hits.delete(name);
    this.#worked.set(leave.scenario.environment, leave.id);
    const known = this.#addresses.get(leave.cause.address) ?? { own: 0, others: 0, worked: 0 };
    this.#setAddress(leave.cause.address, { ...known, others: 0, worked: leave.id });
  }

  #count(hit: Flip, by: 1 | -1): void {
    this.#environments.add(hit.scenario.environment, by);
    this.#patterns.add(patternOf(hit), by);
    for (const [index, address] of addressesOf(hit).entries()) {
      const { own, others, worked } = this.#addresses.get(address) ?? { own: 0, others: 0, worked: 0 };
      if (index === 0) this.#setAddress(address, { own: own + by, others, worked });
      else if (hit.id > worked) this.#setAddress(address, { own, others: others + by, worked });
    }
  }

  #setAddress(address: string, named: Named): void {
    const [before, now] = [this.hasAddress(address), named.own + named.others > 0];
    this.#addresses.set(address, named);
    if (before !== now) this.#hosts.add(hostOf(address), now ? 1 : -1);
  }
}

class Counter {
  readonly #counts = new Map<string, number>();

  get names(): MapIterator<string> {
    return this.#counts.keys();
  }

  has(name: string | undefined): boolean {
    return name !== undefined && this.#counts.has(name);
  }

  add(name: string | undefined, by: 1 | -1): void {
    if (name === undefined) return;
    const count = (this.#counts.get(name) ?? 0) + by;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}

function patternOf({ cause: { pattern } }: Pick<Flip, 'cause'>): string | undefined {
  return pattern && `${pattern.phase} ${pattern.code}`;
}
