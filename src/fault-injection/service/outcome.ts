import type { WireFault } from '../wire/act.ts';

/** What became of one fault of the wire in an environment. */
export interface WireOutcome {
  readonly name: string;
  readonly operation: string;
  readonly kind: string;
  /** caught: a scenario is red · unseen: none that could run here meets it · survived: those that met it are green. */
  readonly became: 'caught' | 'unseen' | 'survived';
  /** The scenario that caught it. */
  readonly by: string | null;
  /** Why it is caught, by the verdict; or why it isn't, with what would close the gap. */
  readonly reason: string | null;
  /** It is shown as slow, for which the gate's exit code stays 0. */
  readonly isYellow?: true;
  /** Whether the monitor would have called somebody after two looks, and known after the repair; with --monitor. */
  readonly called?: boolean;
  readonly recovered?: boolean;
}

export function outcomeOf(
  { name, operation, way }: WireFault,
  rest: Omit<WireOutcome, 'name' | 'operation' | 'kind'>,
): WireOutcome {
  return { name, operation: operation.id, kind: way.kind, ...rest };
}
