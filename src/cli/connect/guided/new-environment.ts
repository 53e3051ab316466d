import { shown } from '../../../environment/files/file-trouble.ts';
import { fileRoles, isThere } from '../../../environment/files/index.ts';
import {
  ConfigurationError,
  EMBEDDED,
  type Environment,
  environmentFiles,
  listed,
  loadEnvironment,
  observedFiles,
  observedFolder,
} from '../../../environment/index.ts';
import { writeEnvironment } from '../../../environment/write-environment.ts';
import { areaIds, areas, type Effect, effects } from '../../../service/index.ts';
import { exitCodes } from '../../../verdict/exit-codes.ts';
import type { Mapping } from '../../import/index.ts';
import { examineAreas } from '../examination/examine-areas.ts';
import { type Finding, findingLines } from '../examination/findings.ts';
import { type Asker, BACK, confirms, Stopped, terminalAsker } from './asker.ts';
import { assertFree, type Interview, isKey, newDraft, takeSources } from './draft.ts';
import { askAll, steps } from './questions.ts';

export interface NewEnvironmentOptions {
  /** Files or curl commands to take values from, before anything is asked. */
  readonly from?: readonly string[];
  readonly map?: Mapping;
  /** Replaces an existing environment of this name. */
  readonly force?: boolean;
  /** Asks the questions; default: on the terminal. */
  readonly asker?: Asker;
  readonly env?: NodeJS.ProcessEnv;
  /** Surveys the new environment, after consent; returns the exit code. If absent, no survey is offered. */
  readonly survey?: (environment: Environment) => Promise<number>;
}

/**
 * The guided start: asks for values that can't be found out, writes the environment, and examines it with reads only, as the doctor does. Returns the
 * exit code.
 * @throws ConfigurationError without a terminal, or if an environment of this name exists, unless `force` allows replacing it
 */
export async function newEnvironment(name: string, options: NewEnvironmentOptions = {}): Promise<number> {
  const { asker = theTerminal(), env = process.env, from = [], map = new Map(), force = false } = options;
  let written: readonly string[] = [];
  assertFree(name, force);
  try {
    const draft = newDraft();
    const interview: Interview = { asker, name, draft, env };
    const write = () => {
      written = writeEnvironment(name, draft, { origin: 'Made by `sextant environments new`.', force: true });
    };
    takeSources(interview, from, map);
    if (from.length === 0) asker.say('--from reads values from a file or a curl command before it asks (see --help).');
    asker.say(`\n${BACK} returns to the previous question; Ctrl-C stops.`);
    await askAll(
      steps.filter((step) => !draft.has(step)),
      interview,
    );
    // A token can only be used together with the id of its user: an environment with the token alone would not load.
    if (draft.has('FRIEND_ACCESS_TOKEN') && !draft.has('FRIEND_USER_ID')) {
      draft.remove('FRIEND_ACCESS_TOKEN');
      asker.say('  left out: FRIEND_ACCESS_TOKEN, because FRIEND_USER_ID is not known');
    }
    // Use the app's language for reports, too. The requests that `tryAndCorrect` may send below show whether the service has report options
    // in this language.
    const language = draft.values.get('APP_LANG');
    if (language !== undefined && !draft.has('REPORT_LANGUAGE')) draft.set('REPORT_LANGUAGE', language);
    write();
    asker.say(`\nWrote ${written.join(' and ')}.`);
    const load = () => {
      write();
      return loadEnvironment(name, { processEnvironment: env });
    };
    const open = (await mayRead(interview)) ? await tryAndCorrect(interview, load) : undefined;
    if (open) await askEffects(interview);
    write();
    asker.say(`\n${written.join(' and ')}: complete.`);
    if (open && open.length > 0) asker.say(['Still to be corrected:', ...findingLines(open)].join('\n'));
    const surveyed = open?.length === 0 ? await offerSurvey(asker, load(), options) : undefined;
    asker.say(
      [
        'Continue with',
        `  npx sextant check --env ${name}`,
        `  npx sextant environments check ${name}    (what a run would send)`,
        ...(surveyed === undefined
          ? [`  npx sextant survey --env ${name}    (what the specification leaves open)`]
          : []),
        `Commit ${listed(filesToCommit(name), 'and')}; git ignores the secrets.`,
        'For a pipeline see docs/ci.md; `npx sextant init` writes one for GitHub or GitLab.',
      ].join('\n'),
    );
    return surveyed ?? exitCodes.held;
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    asker.say(
      written.length === 0
        ? '\nStopped. Nothing was written, so what you entered is lost.'
        : `\nStopped. ${written.join(' and ')} have what you entered: correct it there; npx sextant doctor --env ${name} checks it.`,
    );
    return exitCodes.interrupted;
  }
}

/** The files of a new environment that belong in git: all but its secrets. */
function filesToCommit(name: string): string[] {
  const { own, surveyedFacts } = environmentFiles(name);
  const files = [own, ...(isThere(surveyedFacts, fileRoles.facts) ? [surveyedFacts] : [])];
  const observed = observedFiles(name).length > 0 ? [`${shown(observedFolder(name))}/`] : [];
  return [...files.map(shown), ...observed];
}

/** Asks on the terminal. @throws ConfigurationError if there is no terminal */
function theTerminal(): Asker {
  if (process.stdin.isTTY && process.stdout.isTTY) return terminalAsker();
  throw new ConfigurationError(
    'environments new asks questions, but there is no terminal. Use npx sextant environments import FILE --name NAME, or copy environments/example.env.template and fill it in.',
  );
}

async function mayRead({ asker, name, draft }: Interview): Promise<boolean> {
  if (name === EMBEDDED) return false;
  const origins = new Set(areaIds.map((area) => URL.parse(draft.values.get(areas[area].addressKey) ?? '')?.origin));
  asker.say(
    `Sextant can try the environment now: it reads with these credentials from ${[...origins].join(', ')}, and changes nothing.`,
  );
  return confirms(asker, 'Try it now?');
}

/** The consequences if a run or a survey may send requests with this effect, as the end of a sentence: `a run …`, `the survey …`. */
const LIMITS: Readonly<Record<Effect, string>> = {
  read: 'changes nothing',
  reversible: 'blocks and loves, and undoes that',
  overwriting: 'overwrites the avatar and the profile, and restores the profile if it can be read first',
  irreversible: 'leaves clones, reports and deletions for good',
};

/**
 * Offers a survey, if the requests that tried the new environment found no problem. Returns the survey's exit code; `undefined` if no
 * survey was run.
 */
async function offerSurvey(
  asker: Asker,
  environment: Environment,
  { survey }: NewEnvironmentOptions,
): Promise<number | undefined> {
  if (!survey) return undefined;
  const { name, allowedEffects } = environment;
  const sent = effects.filter((effect) => allowedEffects.has(effect));
  const consequences = sent.filter((effect) => effect !== 'read' || sent.length === 1).map((effect) => LIMITS[effect]);
  asker.say(
    [
      `\nA survey finds out what the specification leaves open, with some hundred valid and invalid requests, and writes the answers to ${name}.facts.json.`,
      `With ALLOWED_EFFECTS=${[...allowedEffects].join(',')} the survey ${consequences.join('; ')}. Ctrl-C ends it, and keeps the answers so far.`,
    ].join('\n'),
  );
  const isHarmless = !allowedEffects.has('overwriting') && !allowedEffects.has('irreversible');
  if (!(await confirms(asker, 'Survey it now?', isHarmless ? 'yes' : 'no'))) return undefined;
  try {
    return await survey(environment);
  } catch (error) {
    // The environment is complete even if the survey could not run, for instance without consent. So the error is only printed.
    if (!(error instanceof ConfigurationError)) throw error;
    asker.say(error.message);
    return undefined;
  }
}

async function askEffects({ asker, draft, name }: Interview): Promise<void> {
  asker.say(`npx sextant environments check ${name} shows each request that a run would send.`);
  const choices = effects.map((effect, index) => {
    const value = effects.slice(0, index + 1).join(',');
    return { value, name: `${value}: a run${index > 0 ? ' also' : ''} ${LIMITS[effect]}` };
  });
  draft.set('ALLOWED_EFFECTS', await asker.choose('What may be sent (ALLOWED_EFFECTS)?', choices));
}

/**
 * Examines every area, and asks for corrections, until nothing is wrong or the person continues without them. Returns the problems that
 * remain.
 */
async function tryAndCorrect({ asker, draft, ...rest }: Interview, load: () => Environment): Promise<Finding[]> {
  for (;;) {
    const findings = await examineAreas(load());
    asker.say(['', ...findingLines(findings)].join('\n'));
    const open = findings.filter(({ severity, keys }) => severity === 'problem' || keys?.includes('SUCCESS_WHEN'));
    if (open.length === 0) return [];
    const suspects = [...new Set(open.flatMap(({ keys = [] }) => keys))].filter(isKey);
    const next = await asker.choose('What now?', [
      ...suspects.map((key) => ({ value: key, name: `correct ${key}` })),
      { value: 'other', name: 'correct another answer' },
      { value: 'again', name: 'try again' },
      { value: 'on', name: 'continue, and correct it later' },
    ]);
    if (next === 'on') return open;
    const known = [...draft.values.keys(), ...draft.secrets.keys()].filter(isKey);
    const choices = known.map((each) => ({ value: each, name: each }));
    const key = next === 'other' ? await asker.choose('Which?', choices) : next;
    if (isKey(key)) await askAll([key], { asker, draft, ...rest });
  }
}
