import type { Environment } from '../../../config/index.ts';
import { withReader } from '../connection-test/reader.ts';
import { commonCause, isFine, summaryLine, type Tried, triedLines, tryAreas } from '../connection-test/try-areas.ts';
import { isKey } from './draft.ts';
import { type Asking, askFor } from './questions.ts';

/** The environment that was tried last, and what came of it. */
export interface Outcome {
  readonly environment: Environment;
  readonly tried: readonly Tried[];
}

/** Tries every area, and again after each correction, until all is well or the person goes on. */
export async function tryAndCorrect(asking: Asking, load: () => Environment): Promise<Outcome> {
  const { asker } = asking;
  for (;;) {
    const environment = load();
    const tried = await withReader(environment, (read) => tryAreas(environment, read));
    asker.say(['', ...triedLines(tried, Date.now()), '', summaryLine(tried)].join('\n'));
    const cause = commonCause(tried);
    if (cause) asker.say(cause);
    const failing = tried.filter((each) => !isFine(each));
    if (failing.length === 0) return { environment, tried };
    const suspects = [...new Set(failing.flatMap(({ keys }) => keys))].filter(isKey);
    const next = await asker.choose('What now?', [
      ...suspects.map((key) => ({ value: key, name: `correct ${key}` })),
      { value: 'again', name: 'try again' },
      { value: 'on', name: 'go on: it can be corrected later' },
    ]);
    if (next === 'on') return { environment, tried };
    if (isKey(next)) await askFor([next], asking);
  }
}
