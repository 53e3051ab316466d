import type { AwaitedUndos } from '../../call/index.ts';

type Entry = ReturnType<AwaitedUndos['all']>[number];

/** How long an undo that was awaited in vain counts, in ms. After that, a list that lags behind is awaited again. */
const KEEP_MS = 120_000;

/**
 * The undos that were awaited lately and their ends, by environment. An undo without effect would make each attempt of each scenario wait in full,
 * several times, while its failure is being confirmed. `now` is the steady clock, in ms.
 */
export function recentUndos(now: () => number): (environment: string) => AwaitedUndos {
  const all = new Map<string, readonly { readonly at: number; readonly entry: Entry }[]>();
  return (environment) => {
    const recent = () => (all.get(environment) ?? []).filter(({ at }) => now() - at < KEEP_MS);
    return {
      all: () => recent().map(({ entry }) => entry),
      add: (entry) => void all.set(environment, [...recent(), { at: now(), entry }]),
    };
  };
}
