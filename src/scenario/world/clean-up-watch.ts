import { judge, type Middleware, SpecMistake, type SuccessRule } from '../../client/index.ts';
import type { Operation } from '../../spec/index.ts';

/** Sees which changes of a scenario were accepted and not undone by its own calls. */
export class CleanUpWatch {
  readonly #open = new Map<string, Operation>();

  middleware(rule: SuccessRule | undefined): Middleware {
    return async (call, next) => {
      const exchange = await next(call);
      const { operation } = call;
      if (judge(exchange, 'success', rule) === undefined) {
        this.#open.delete(operation.id);
        if (operation.undo !== undefined) this.#open.set(operation.undo, operation);
      }
      return exchange;
    };
  }

  /** The mistake of a scenario that declares no clean-up at all; `undefined` where it left nothing behind. */
  get mistake(): SpecMistake | undefined {
    const [open] = this.#open;
    if (!open) return undefined;
    const [undo, { id, area }] = open;
    return SpecMistake.of('no clean-up', { operation: id, area, undo });
  }
}
