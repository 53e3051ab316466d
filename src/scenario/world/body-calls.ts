import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Middleware } from '../../client/index.ts';

/**
 * The calls of a scenario's body. Of several at once, the others go on when one has failed, and a change among them would follow its
 * own undo: a change that is on its way ends before the clean-up, and nothing is sent any more but what the clean-up sends.
 */
export class BodyCalls {
  readonly #isCleanUp = new AsyncLocalStorage<true>();
  readonly #changes = new Set<Promise<unknown>>();
  #isOver = false;

  /** Stands where nothing more is read before a change. A call that comes too late stays pending: its error would concern nobody. */
  readonly middleware: Middleware = (call, next) => {
    if (this.#isOver && !this.#isCleanUp.getStore()) return new Promise(() => {});
    const sent = next(call);
    if (call.operation.effect === 'read') return sent;
    this.#changes.add(sent);
    return sent.finally(() => this.#changes.delete(sent));
  };

  /** Waits for each change, and for the line of the spec after it, which declares its undo. */
  async end<T>(cleanUp: () => Promise<T>): Promise<T> {
    this.#isOver = true;
    if (this.#changes.size > 0) await Promise.allSettled(this.#changes).then(() => nextTurn());
    return this.#isCleanUp.run(true, cleanUp);
  }
}
