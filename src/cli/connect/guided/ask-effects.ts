import { counted, type Environment } from '../../../config/index.ts';
import { type Effect, effects } from '../../../spec/index.ts';
import { type DryRunCall, dryRun } from '../dry-run/dry-run.ts';
import type { Asking } from './ask-values.ts';

const meanings: Readonly<Record<Effect, string>> = {
  read: 'changes nothing',
  reversible: 'undone by the run that did it',
  overwriting: 'an old value is lost unless it can be read first',
  irreversible: 'stays for good',
};

/** Explains what each effect would send, and asks what may be sent. */
export async function askEffects({ asker, draft }: Asking, environment: Environment): Promise<void> {
  const all = await dryRun({ ...environment, allowedEffects: new Set(effects) });
  asker.say(['', 'What a run would send, by effect:', ...effectLines(all)].join('\n'));
  const choices = effects.map((_, index) => effects.slice(0, index + 1).join(','));
  const now = draft.values.get('ALLOWED_EFFECTS');
  const chosen = await asker.choose(
    'What may be sent (ALLOWED_EFFECTS)?',
    choices.map((value) => ({ value, name: value })),
    now !== undefined && choices.includes(now) ? now : 'read',
  );
  draft.set('ALLOWED_EFFECTS', chosen);
}

/** A line for each effect: how much, which requests, and what comes of them. */
export function effectLines(all: readonly DryRunCall[]): string[] {
  const width = Math.max(...effects.map((effect) => effect.length));
  return effects.flatMap((effect) => {
    const requests = all.flatMap((call) => call.requests).filter((request) => request.effect === effect);
    const distinct = [...new Set(requests.map(({ method, url }) => `${method} ${withoutIds(new URL(url).pathname)}`))];
    const indent = ' '.repeat(width + 4);
    return [
      `  ${effect.padEnd(width)}  ${requests.length === 0 ? 'none with this test data' : counted(requests.length, 'request')}; ${meanings[effect]}`,
      ...distinct.map((line) => `${indent}${line}`),
    ];
  });
}

/** Values in a path are of no interest here. */
function withoutIds(path: string): string {
  return path.length > 60 ? `${path.slice(0, 60)}…` : path;
}
