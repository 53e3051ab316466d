import type { Mapping } from '../../../config/import/index.ts';
import {
  assertEnvironmentName,
  ConfigurationError,
  EMBEDDED,
  type Environment,
  loadEnvironment,
  writeEnvironment,
} from '../../../config/index.ts';
import { areaIds, areas, effects } from '../../../spec/index.ts';
import { INTERRUPTED } from '../../output/terminal.ts';
import { withReader } from '../connection-test/harmless-requests.ts';
import {
  commonCause,
  isFine,
  type Outcome,
  problemsOf,
  summaryLine,
  type Tried,
  triedLines,
  tryAreas,
} from '../connection-test/try-areas.ts';
import { type DryRunCall, dryRun, effectLines } from '../dry-run.ts';
import { type Asker, confirms, Stopped } from './asker.ts';
import { chooseName, type Interview, isKey, newDraft, takeSources } from './draft.ts';
import { findOut, findSuccessRule } from './found.ts';
import { askFor, changingKeys, neededKeys, readingKeys } from './questions.ts';

export interface NewEnvironmentOptions {
  /** Files or curl commands to take values from, before anything is asked. */
  readonly from?: readonly string[];
  readonly map?: Mapping;
  /** An environment of this name is changed without a question. */
  readonly force?: boolean;
  /** Absent: the terminal. */
  readonly asker?: Asker;
  readonly env?: NodeJS.ProcessEnv;
  /** Absent: it is found out by a dry run. */
  readonly wouldSend?: typeof dryRun;
}

/**
 * The guided start: asks for what can't be found out, writes the environment, tries it by reading alone, and finds out what is
 * needed to judge its responses. Returns the exit status.
 * @throws ConfigurationError without a terminal.
 */
export async function newEnvironment(name: string | undefined, options: NewEnvironmentOptions = {}): Promise<number> {
  const { asker = await theTerminal(), env = process.env, from = [], map = new Map(), force = false } = options;
  const { wouldSend = dryRun } = options;
  if (name !== undefined) assertEnvironmentName(name);
  let written: readonly string[] = [];
  let known = name ?? '';
  try {
    const draft = newDraft();
    const chosen = await chooseName(asker, draft, name, force);
    known = chosen.name;
    const interview: Interview = { asker, name: chosen.name, draft, env };
    const write = () => {
      written = writeEnvironment(chosen.name, draft, { origin, force: true, notes: draft.notes });
    };
    let open: readonly Tried[] = [];
    await takeSources(interview, from, map);
    const missing = [...neededKeys, ...readingKeys].filter((key) => chosen.exists || !draft.has(key));
    await askFor(missing, interview);
    const more = await asker.choose('Enter test data for changes now (story, flag, type, items)?', [
      { value: 'later', name: 'later: they are skipped until then' },
      { value: 'now', name: 'now' },
    ]);
    if (more === 'now') await askFor(changingKeys, interview);
    // A token of the second user is of no use without the id of its user, and its file would not load.
    if (draft.has('FRIEND_ACCESS_TOKEN') && !draft.has('FRIEND_USER_ID')) {
      draft.remove('FRIEND_ACCESS_TOKEN');
      asker.say('  left out: FRIEND_ACCESS_TOKEN, because FRIEND_USER_ID is not known');
    }
    write();
    asker.say(`\nWrote ${written.join(' and ')}.`);
    if (await mayRead(interview)) {
      const load = () => {
        write();
        return loadEnvironment(interview.name, { processEnvironment: env });
      };
      let outcome = await tryAndCorrect(interview, load);
      // What looked accepted may be a refusal once success is known.
      if (await findSuccessRule(interview, outcome)) outcome = await tryAndCorrect(interview, load);
      await findOut(interview, outcome);
      open = outcome.tried;
      await askEffects(interview, await wouldSend({ ...load(), allowedEffects: new Set(effects) }));
    }
    write();
    asker.say(`\n${written.join(' and ')}: complete.`);
    for (const problem of problemsOf(open)) asker.say(`Still to be corrected: ${problem}`);
    asker.say(
      [
        'Go on with',
        `  npx sextant check --env ${known}`,
        `  npx sextant environments check ${known}    (what a run would send)`,
        `  npx sextant survey --env ${known}    (what the specification leaves open)`,
      ].join('\n'),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    asker.say(
      written.length === 0
        ? '\nStopped. Nothing was written, and what was typed is gone.'
        : `\nStopped. ${written.join(' and ')} hold what was entered; npx sextant environments new ${known} goes on from there.`,
    );
    return INTERRUPTED;
  }
}

const origin = 'Made by `sextant environments new`.';

/** Loaded only for a terminal: its packages are of no use to anything else. @throws ConfigurationError where there is none. */
async function theTerminal(): Promise<Asker> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new ConfigurationError(
      'environments new asks questions, and there is no terminal to ask on; use npx sextant environments import FILE --name NAME, or copy environments/example.env and fill it in.',
    );
  return (await import('./terminal-asker.ts')).terminalAsker();
}

async function mayRead({ asker, name, draft }: Interview): Promise<boolean> {
  if (name === EMBEDDED) return false;
  const origins = new Set(areaIds.map((area) => URL.parse(draft.values.get(areas[area].addressKey) ?? '')?.origin));
  asker.say(
    `It can be tried now: that reads with these credentials from ${[...origins].join(', ')}, and changes nothing.`,
  );
  return confirms(asker, 'Try it now?');
}

/** Explains what each effect would send, and asks what may be sent. */
async function askEffects({ asker, draft }: Interview, all: readonly DryRunCall[]): Promise<void> {
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

/** Tries every area, and again after each correction, until all is well or the person goes on. */
async function tryAndCorrect(interview: Interview, load: () => Environment): Promise<Outcome> {
  const { asker } = interview;
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
    if (isKey(next)) await askFor([next], interview);
  }
}
