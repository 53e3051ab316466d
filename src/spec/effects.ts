/**
 * What an operation leaves behind, from harmless to lasting: nothing · something that another operation takes back ·
 * an old value replaced · something for good.
 */
export const effects = ['read', 'reversible', 'overwriting', 'irreversible'] as const;

export type Effect = (typeof effects)[number];

/** The gravest of several effects. */
export function gravest(found: Iterable<Effect>): Effect {
  let worst = 0;
  for (const effect of found) worst = Math.max(worst, effects.indexOf(effect));
  return effects[worst] as Effect;
}
