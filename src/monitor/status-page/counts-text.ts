import { stateWords } from './parts.ts';
import { type Shown, shownStates } from './view.ts';

/** `3 down, 9 up`. */
export function countsText(all: readonly { readonly shown: Shown }[]): string {
  const counts = new Map<Shown, number>();
  for (const { shown } of all) counts.set(shown, (counts.get(shown) ?? 0) + 1);
  return shownStates
    .flatMap((state) => (counts.has(state) ? [`${counts.get(state)} ${stateWords[state].toLowerCase()}`] : []))
    .join(', ');
}
