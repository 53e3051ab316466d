import type { Exchange } from '../http/exchange.ts';

/** Another way to say the same, which a service may take where it refuses the first. */
export interface Form<A = unknown> {
  readonly args: A;
  /** Called when it was taken, although what was offered before it was refused. */
  taken(): void;
}

/** The form to try after a refusal; `undefined` when there is none left. */
export type NextForm<A = unknown> = (refused: Exchange) => Promise<Form<A> | undefined>;

const others = new WeakMap<object, () => NextForm>();

/** Arguments of which a service may refuse the one form and take another: `succeeds` tries each of those that `forms` begins to give. */
export function offer<A extends object>(args: A, forms: () => NextForm<A>): A {
  others.set(args, forms as () => NextForm);
  return args;
}

/** Gives the other forms of arguments one after the other; `undefined` where none was offered. */
export function nextFormOf(args: unknown): NextForm | undefined {
  return typeof args === 'object' && args !== null ? others.get(args)?.() : undefined;
}
