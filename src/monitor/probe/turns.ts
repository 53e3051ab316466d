import type { AwaitedUndos } from '../../call/index.ts';
import { areasHeldBy, isDivisible, type UsersRunOptions, withUsers } from '../../safety/index.ts';
import { areaIds } from '../../service/index.ts';
import type { ProbeTarget } from './targets.ts';

interface Waiting {
  readonly places: readonly string[];
  readonly since: number;
  readonly begin: () => void;
}

/** Places that one has at a time. They go to whoever began first, and nobody overtakes who waits for one of several. */
class Places {
  readonly #taken = new Set<string>();
  #waiting: readonly Waiting[] = [];

  async hold<T>(places: readonly string[], since: number, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.#waiting = [...this.#waiting, { places, since, begin }].sort((a, b) => a.since - b.since);
      this.#giveSoon();
    });
    try {
      return await work();
    } finally {
      for (const place of places) this.#taken.delete(place);
      this.#giveSoon();
    }
  }

  /** Not at once: the run that has just left may want its next turn, and it began before the others. */
  #giveSoon(): void {
    setImmediate(() => {
      const wanted = new Set(this.#taken);
      this.#waiting = this.#waiting.filter(({ places, begin }) => {
        const mustWait = places.some((place) => wanted.has(place));
        for (const place of places) wanted.add(place);
        if (mustWait) return true;
        for (const place of places) this.#taken.add(place);
        begin();
        return false;
      });
    });
  }
}

/**
 * Runs `work` when nobody else runs in its area of its environment. A scenario that changes something waits for the users first, and only then for
 * its area, so that scenarios that only read continue meanwhile. Who waits goes in the order of `since`, when its run began: a failure is confirmed
 * before other scenarios meet it, which would take as long for each of them.
 */
export function turns(
  options: Pick<UsersRunOptions, 'signal' | 'say' | 'silentAddresses'>,
  undosOf: (environment: string) => AwaitedUndos,
) {
  const places = new Places();
  return <T>(target: ProbeTarget, since: number, work: () => Promise<T>): Promise<T> => {
    const { environment, area, effect } = target;
    const { name } = environment;
    const inArea = () => places.hold([`${name} ${area}`], since, work);
    if (effect === 'read') return inArea();
    const areas = area === 'all' ? areaIds : [area];
    const asUsers = () => withUsers(environment, { ...options, areas, awaitedUndos: undosOf(name) }, inArea);
    if (isDivisible(environment)) return asUsers();
    const users = areasHeldBy(areas).map((one) => `${name} users of ${one}`);
    return places.hold(users, since, asUsers);
  };
}
