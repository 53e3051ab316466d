import { stateWords } from './parts.ts';
import { type Shown, shownStates } from './view.ts';

/** `3 down, 9 up`. */
export function countsText(all: readonly { readonly shown: Shown }[]): string {
  return shownStates
    .flatMap((state) => {
      const count = all.filter(({ shown }) => shown === state).length;
      return count > 0 ? [`${count} ${stateWords[state].toLowerCase()}`] : [];
    })
    .join(', ');
}
