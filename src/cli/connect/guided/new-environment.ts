import type { Mapping } from '../../../config/import/index.ts';
import {
  assertEnvironmentName,
  ConfigurationError,
  EMBEDDED,
  type Environment,
  loadEnvironment,
  writeEnvironment,
} from '../../../config/index.ts';
import { areaIds, areas, type Effect, effects } from '../../../spec/index.ts';
import { INTERRUPTED } from '../../output/terminal.ts';
import { areaFindings } from '../examination/area-findings.ts';
import { type Finding, findingLines } from '../examination/findings.ts';
import { withReader } from '../examination/harmless-requests.ts';
import { tryAreas } from '../examination/try-areas.ts';
import { type Asker, BACK, confirms, Stopped, terminalAsker } from './asker.ts';
import { chooseName, type Interview, isKey, newDraft, takeSources } from './draft.ts';
import { findOut } from './found.ts';
import { askAll, steps } from './questions.ts';

export interface NewEnvironmentOptions {
  /** Files or curl commands to take values from, before anything is asked. */
  readonly from?: readonly string[];
  readonly map?: Mapping;
  /** An environment of this name is changed without a question. */
  readonly force?: boolean;
  /** Absent: the terminal. */
  readonly asker?: Asker;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * The guided start: asks for what can't be found out, writes the environment, tries it by reading alone, and finds out what is
 * needed to judge its responses. Returns the exit status.
 * @throws ConfigurationError without a terminal.
 */
export async function newEnvironment(name: string | undefined, options: NewEnvironmentOptions = {}): Promise<number> {
  const { asker = theTerminal(), env = process.env, from = [], map = new Map(), force = false } = options;
  if (name !== undefined) assertEnvironmentName(name);
  let written: readonly string[] = [];
  let known = name ?? '';
  try {
    const draft = newDraft();
    const chosen = await chooseName(asker, draft, name, force);
    known = chosen.name;
    const interview: Interview = { asker, name: chosen.name, draft, env };
    const write = () => {
      written = writeEnvironment(chosen.name, draft, { origin, force: true });
    };
    let open: readonly Finding[] = [];
    await takeSources(interview, from, map);
    asker.say(`\n${BACK} goes back to the question before; Ctrl-C stops.`);
    await askAll(chosen.exists ? steps : steps.filter((step) => !draft.has(step)), interview);
    // A token of the second user is of no use without the id of its user, and its file would not load.
    if (draft.has('FRIEND_ACCESS_TOKEN') && !draft.has('FRIEND_USER_ID')) {
      draft.remove('FRIEND_ACCESS_TOKEN');
      asker.say('  left out: FRIEND_ACCESS_TOKEN, because FRIEND_USER_ID is not known');
    }
    // The first try shows whether the service has options in that language.
    const language = draft.values.get('APP_LANG');
    if (language !== undefined && !chosen.exists && !draft.has('REPORT_LANGUAGE'))
      draft.set('REPORT_LANGUAGE', language);
    write();
    asker.say(`\nWrote ${written.join(' and ')}.`);
    if (await mayRead(interview)) {
      const load = () => {
        write();
        return loadEnvironment(interview.name, { processEnvironment: env });
      };
      open = await tryAndCorrect(interview, load);
      await askEffects(interview);
    }
    write();
    asker.say(`\n${written.join(' and ')}: complete.`);
    if (open.length > 0) asker.say(['Still to be corrected:', ...findingLines(open)].join('\n'));
    asker.say(
      [
        'Continue with',
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
        : `\nStopped. ${written.join(' and ')} hold what was entered; npx sextant environments new ${known} continues from there.`,
    );
    return INTERRUPTED;
  }
}

const origin = 'Made by `sextant environments new`.';

/** @throws ConfigurationError where there is none. */
function theTerminal(): Asker {
  if (process.stdin.isTTY && process.stdout.isTTY) return terminalAsker();
  throw new ConfigurationError(
    'environments new asks questions, and there is no terminal to ask on; use npx sextant environments import FILE --name NAME, or copy environments/example.env.template and fill it in.',
  );
}

async function mayRead({ asker, name, draft }: Interview): Promise<boolean> {
  if (name === EMBEDDED) return false;
  const origins = new Set(areaIds.map((area) => URL.parse(draft.values.get(areas[area].addressKey) ?? '')?.origin));
  asker.say(
    `It can be tried now: that reads with these credentials from ${[...origins].join(', ')}, and changes nothing.`,
  );
  return confirms(asker, 'Try it now?');
}

/** The consequences of each limit, in words. */
const LIMITS: Readonly<Record<Effect, string>> = {
  read: 'nothing is changed',
  reversible: 'and what the run that changes it undoes',
  overwriting: 'and what overwrites an old value, which is lost unless it can be read first',
  irreversible: 'and what stays for good',
};

async function askEffects({ asker, draft, name }: Interview): Promise<void> {
  asker.say(`npx sextant environments check ${name} shows each request that a run would send.`);
  const choices = effects.map((effect, index) => {
    const value = effects.slice(0, index + 1).join(',');
    return { value, name: `${value}: ${LIMITS[effect]}` };
  });
  const now = draft.values.get('ALLOWED_EFFECTS') ?? 'read';
  draft.set('ALLOWED_EFFECTS', await asker.choose('What may be sent (ALLOWED_EFFECTS)?', choices, now));
}

/** Tries every area, again after each correction, until all is well or the person continues; returns what is still to be corrected. */
async function tryAndCorrect(interview: Interview, load: () => Environment): Promise<readonly Finding[]> {
  const { asker, draft } = interview;
  const told = new Set<string>();
  for (;;) {
    const environment = load();
    const tried = await withReader(environment, (read) => tryAreas(environment, read));
    const findings = areaFindings(tried, environment);
    asker.say(['', ...findingLines(findings)].join('\n'));
    // A response that looked accepted may be a refusal once SUCCESS_WHEN is known.
    if (await findOut(interview, { environment, tried }, told)) continue;
    const failing = findings.filter(({ severity }) => severity === 'problem');
    if (failing.length === 0) return [];
    const suspects = [...new Set(failing.flatMap(({ keys = [] }) => keys))].filter(isKey);
    const next = await asker.choose('What now?', [
      ...suspects.map((key) => ({ value: key, name: `correct ${key}` })),
      { value: 'other', name: 'correct another answer' },
      { value: 'again', name: 'try again' },
      { value: 'on', name: 'continue: it can be corrected later' },
    ]);
    if (next === 'on') return failing;
    const known = [...draft.values.keys(), ...draft.secrets.keys()].filter(isKey);
    const choices = known.map((each) => ({ value: each, name: each }));
    const key = next === 'other' ? await asker.choose('Which?', choices) : next;
    if (isKey(key)) await askAll([key], interview);
  }
}
