import type { Environment } from '../../environment/index.ts';
import type { ScenarioResult } from '../../run/index.ts';
import { type AreaId, areaIds } from '../../service/index.ts';
import type { ProbeTarget } from './targets.ts';

/** Time limit for a call to an area that hangs, in ms. The scenario that confirms the hang keeps the usual limit of the environment. */
const SHORT_MS = 1_000;

/** A hang of an area: the area kept the call of a scenario waiting until its deadline, and has not responded since. */
interface Hang {
  /** When the hang was found, on the monotonic clock, in ms. */
  readonly since: number;
  readonly foundBy: ProbeTarget;
  /** The scenario that confirms the hang. Its calls may take until their deadline, and the monitor records its attempts. */
  witness: ProbeTarget;
  /** Resolved when `witness` has ended an attempt, or the area has responded. */
  readonly settled: PromiseWithResolvers<void>;
}

/** One attempt at a scenario. Times are on the monotonic clock, in ms. */
export interface Attempted {
  readonly target: ProbeTarget;
  readonly result: Pick<ScenarioResult, 'exchanges' | 'failing'>;
  readonly began: number;
  readonly ended: number;
}

/**
 * The areas of each environment that hang, which means that they accept requests and don't respond.
 * A scenario that changes something in such an area occupies its users until the deadline, and scenarios of other areas wait for these
 * users. So only one scenario of the area waits for the whole deadline, if possible a scenario that only reads. Calls of the area's other
 * scenarios end after a second.
 * `isJudged`: whether a run of the scenario has ever been judged.
 */
export class HangingAreas {
  readonly #targets: readonly ProbeTarget[];
  readonly #isJudged: (target: ProbeTarget) => boolean;
  readonly #hangs = new Map<string, Hang>();

  constructor(targets: readonly ProbeTarget[], isJudged: (target: ProbeTarget) => boolean) {
    this.#targets = targets;
    this.#isJudged = isJudged;
  }

  has(environment: Environment, area: AreaId): boolean {
    return this.#hangs.has(keyOf(environment.name, area));
  }

  /** How long each call of a scenario may take, in ms; `undefined` if the environment's usual limit applies. */
  limitMs(target: ProbeTarget): number | undefined {
    return this.#confirmedByAnother(target) && SHORT_MS;
  }

  /** Notes that an area responded in an attempt that began at `began`, on the monotonic clock, in ms. */
  responded({ name }: Environment, area: AreaId, began: number): void {
    const hang = this.#hangs.get(keyOf(name, area));
    if (!hang || began < hang.since) return;
    this.#hangs.delete(keyOf(name, area));
    hang.settled.resolve();
  }

  /**
   * Notes an attempt. Returns whether this attempt is the first to find that its area hangs. `mayFind` is false if an earlier attempt of
   * the same run already found the hang: if the area has responded since then, the run must not report another hang.
   */
  note({ target, result, began, ended }: Attempted, mayFind: boolean): boolean {
    const { environment, area } = target;
    const responding = new Set(result.exchanges.flatMap((each) => (each.response ? each.area : [])));
    for (const each of responding) this.responded(environment, each, began);
    if (area === 'all') return false;
    const hasWaited = isTimedOut(result) && !responding.has(area);
    const hang = this.#hangs.get(keyOf(environment.name, area));
    if (hang?.witness === target && (hasWaited || began >= hang.since)) {
      // The scenario that was to confirm the hang (the witness) did not call the area, for instance because an earlier request failed. So
      // the scenario that found the hang confirms it instead.
      if (!hasWaited) hang.witness = hang.foundBy;
      hang.settled.resolve();
    }
    if (hang || !hasWaited || !mayFind) return false;
    const witness = target.effect === 'read' ? target : (this.#another(target, true) ?? target);
    const settled = Promise.withResolvers<void>();
    if (witness === target) settled.resolve();
    this.#hangs.set(keyOf(environment.name, area), { since: ended, foundBy: target, witness, settled });
    return true;
  }

  /**
   * The scenario to run at once after `target` found a hang. If another scenario confirms the hang, this is the other scenario. If `target`
   * itself confirms the hang, this is a scenario that changes something: if the area responds to it, only an operation hangs, and not the
   * area.
   */
  toRunAtOnce(target: ProbeTarget): ProbeTarget | undefined {
    return this.#another(target, target.effect !== 'read');
  }

  /** Whether another scenario confirms the hang that `target` found. Waits until the other scenario has made an attempt, or is late. */
  async isLeftToAnother(target: ProbeTarget, wait: (ms: number) => Promise<void>): Promise<boolean> {
    const hang = this.#confirmedByAnother(target);
    if (!hang) return false;
    const isLate = wait(target.environment.requestTimeoutMs + SHORT_MS).then(() => true);
    // If the other scenario doesn't call the area in time, for instance because it waits for its turn, `target` confirms the hang itself.
    if (await Promise.race([hang.settled.promise, isLate])) hang.witness = target;
    return this.#confirmedByAnother(target) !== undefined;
  }

  /** A hang in an area of `target` that another scenario confirms; `undefined` if there is none. */
  #confirmedByAnother(target: ProbeTarget): Hang | undefined {
    const { environment, area, effect } = target;
    // Each run that waits for its turn asks this whenever another turn ends, and usually nothing hangs.
    if (this.#hangs.size === 0) return undefined;
    // The environment's deadline is no longer than SHORT_MS, so the scenario doesn't make others wait for long.
    if (environment.requestTimeoutMs <= SHORT_MS) return undefined;
    // A scenario of all areas that only reads makes no other scenario wait: it occupies no users, and has its own queue.
    const areas = area === 'all' ? (effect === 'read' ? [] : areaIds) : [area];
    const hangs = areas.flatMap((each) => this.#hangs.get(keyOf(environment.name, each)) ?? []);
    return hangs.find(({ witness }) => witness !== target);
  }

  /**
   * Another scenario of the same area: of those that only read (`isReading`), or of those that change something, the one that runs most
   * often.
   */
  #another(target: ProbeTarget, isReading: boolean): ProbeTarget | undefined {
    const others = this.#targets.filter(
      (one) =>
        one !== target &&
        one.environment === target.environment &&
        one.area === target.area &&
        (one.effect === 'read') === isReading &&
        !one.isRare,
    );
    return others.sort((a, b) => a.intervalMs - b.intervalMs).find((one) => this.#isJudged(one));
  }
}

/** Whether a call got no response within its deadline. */
export function isTimedOut({ failing }: Pick<ScenarioResult, 'failing'>): boolean {
  return failing?.failure?.code === 'DEADLINE';
}

function keyOf(environment: string, area: AreaId): string {
  return `${environment} ${area}`;
}
