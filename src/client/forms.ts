/** Another way to say the same, which a service may take where it refuses the first. */
export interface Form<A = unknown> {
  readonly args: A;
  /** Called when it was taken, although what was offered before it was refused. */
  taken(): void;
}

const others = new WeakMap<object, readonly Form[]>();

/** Arguments of which a service may refuse the one form and take another: `succeeds` tries each of them once. */
export function offer<A extends object>(args: A, forms: readonly Form<A>[]): A {
  others.set(args, forms);
  return args;
}

/** The other forms of arguments; none where they were not offered. */
export function formsOf(args: unknown): readonly Form[] {
  return typeof args === 'object' && args !== null ? (others.get(args) ?? []) : [];
}
