/**
 * The effect of an operation, from harmless to permanent: none · one that another operation undoes ·
 * a replaced value · a permanent change.
 */
export const effects = ['read', 'reversible', 'overwriting', 'irreversible'] as const;

export type Effect = (typeof effects)[number];

/** The most severe of several effects. */
export function gravest(found: Iterable<Effect>): Effect {
  let worst = 0;
  for (const effect of found) worst = Math.max(worst, effects.indexOf(effect));
  return effects[worst] as Effect;
}
