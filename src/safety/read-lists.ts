import type { Stage } from '../call/index.ts';
import type { Exchange } from '../http/index.ts';
import { operation as entryOf, undoneChange } from '../service/index.ts';
import { outcomeOf, type ServiceUnderTest } from '../verdict/index.ts';

/**
 * Lists that a run has read since its last change. Nobody else may act as the run's users meanwhile, so the lists show the state in which
 * the next scenario begins.
 */
export class ReadLists {
  readonly #target: ServiceUnderTest;
  readonly #read = new Map<string, Exchange>();
  #changes = 0;

  constructor(target: ServiceUnderTest) {
    this.#target = target;
  }

  of(userId: string, list: string | undefined): Exchange | undefined {
    return this.#read.get(`${userId} ${list}`);
  }

  readonly stage: Stage = ({ operation, args, changes, session }) => {
    const { id } = operation;
    const undone = undoneChange(id);
    if ((undone ? entryOf(undone) : operation).shownBy) return { ended: this.#changed() };
    const { blockListSegments, successWhen } = this.#target;
    const isWhole = changes.size === 0 && JSON.stringify(args) === JSON.stringify(blockListSegments);
    const before = this.#changes;
    return {
      ended: (exchange) => {
        // A list that was read while a change was on its way may show the state before the change.
        if (isWhole && exchange && before === this.#changes && outcomeOf(exchange, successWhen).isAccepted)
          this.#read.set(`${session.caller.userId} ${id}`, exchange);
      },
    };
  };

  #changed(): () => void {
    const forget = () => {
      this.#changes++;
      this.#read.clear();
    };
    forget();
    return forget;
  }
}
