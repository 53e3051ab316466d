/** Parts of the deadline that are kept for clean-up, and for what a command does after it. */
const CLEAN_UP = 0.2;
const OUTPUT = 0.04;
/** Output never takes longer, in ms. */
const MOST_OUTPUT_MS = 1_000;

/** When scenarios and clean-up must stop, in ms after the start. */
export function stopsOf(deadlineMs: number): { readonly stopMs: number; readonly endMs: number } {
  return {
    stopMs: deadlineMs * (1 - CLEAN_UP),
    endMs: deadlineMs - Math.min(MOST_OUTPUT_MS, Math.max(100, deadlineMs * OUTPUT)),
  };
}
