import { type Turn, TurnQueue, type UsersRunOptions, withUsers } from '../../safety/index.ts';
import { areaIds } from '../../service/index.ts';
import type { ProbeTarget } from './targets.ts';

interface AskedTurn {
  readonly target: ProbeTarget;
  /** When its run began: a failure is confirmed before other scenarios meet it, which would take as long for each of them. */
  readonly since: Turn['since'];
  /** Whether it has to wait for the area's line. */
  readonly isInLine: () => boolean;
}

/**
 * Gives scenarios their turns: each area of an environment has one at a time. A scenario that changes something waits for the users first, and
 * only then for its area, so that scenarios that only read continue meanwhile.
 */
export class Turns {
  readonly #lines = new TurnQueue();
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async take<T>({ target, since, isInLine }: AskedTurn, options: UsersRunOptions, work: () => Promise<T>): Promise<T> {
    const { environment, area, effect } = target;
    const inArea = async () => {
      const keys = () => (isInLine() ? [`${environment.name} ${area}`] : []);
      const leave = await this.#lines.enter({ keys, since }, this.#signal);
      return work().finally(leave);
    };
    if (effect === 'read') return inArea();
    return withUsers(environment, { ...options, since, areas: area === 'all' ? areaIds : [area] }, inArea);
  }
}
