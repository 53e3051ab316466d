import { Option } from 'commander';
import {
  attempt,
  ConfigurationError,
  EMBEDDED,
  type Environment,
  environmentNames,
  globMatches,
  loadEnvironment,
  setAddresses,
} from '../../environment/index.ts';
import { append } from './selection-options.ts';

/**
 * The names that `--env` asks for, each once, in the order given: a name, or a pattern (`prod-*`, `*`); without any, the embedded one. A name
 * never leads into another folder.
 * @throws ConfigurationError with every word that fits no environment.
 */
export function chooseEnvironments(asked: readonly string[]): string[] {
  const words = asked.length > 0 ? asked : [EMBEDDED];
  const paths = words.filter((word) => /[/\\]/.test(word));
  if (paths.length > 0)
    throw new ConfigurationError(
      `--env ${paths.join(', ')}: an environment is chosen by its name or a pattern, not by a path. Set SEXTANT_ENVIRONMENTS to its folder.`,
    );
  const known = environmentNames();
  const problems: string[] = [];
  const chosen = words.flatMap((name) => {
    // A name without a file gets its own error when it is loaded.
    if (!/[*?]/.test(name)) return [name];
    const found = known.filter((each) => globMatches(name, each));
    if (found.length === 0)
      problems.push(
        `No environment matches --env '${name}'. Environments: ${known.join(', ') || 'none'}. \`npx sextant environments new NAME\` makes one.`,
      );
    return found;
  });
  if (problems.length > 0) throw new ConfigurationError(problems.join('\n'));
  return [...new Set(chosen)];
}

/** `--env` of commands that take several environments: a name or a pattern, repeatable. */
export function environmentOption(purpose: string): Option {
  return new Option(
    '--env <name>',
    `environment to ${purpose}: a name or a pattern ("prod-*"); repeat for several`,
  ).argParser(append);
}

/** `--set` of commands that play what a pipeline has deployed: another address than the file's. */
export function setOption(): Option {
  return new Option(
    '--set <key=address>',
    'another address than the file’s, e.g. FRIEND_URL=https://…; repeat for several',
  )
    .argParser(append)
    .default([], 'none');
}

/**
 * The environments that `--env` asks for, by `load`, at the addresses of `--set`.
 * @throws ConfigurationError with the problems of all of them.
 */
export function loadEnvironments(
  asked: readonly string[],
  set: readonly string[] = [],
  load = (name: string) => loadEnvironment(name),
): readonly Environment[] {
  const names = chooseEnvironments(asked);
  setAddresses(names, set);
  return together(names.map((name) => () => load(name)));
}

/**
 * An environment for what does without facts, observed responses and the team's own document: `report` hears of mistakes in these alone.
 * @throws ConfigurationError with all problems, where there are others.
 */
export function loadBare(name: string, report: (mistakes: string) => void): Environment {
  const whole = attempt(() => loadEnvironment(name));
  if (!(whole instanceof ConfigurationError)) return whole;
  const bare = attempt(() => loadEnvironment(name, { isBare: true }));
  if (bare instanceof ConfigurationError) throw whole;
  report(whole.message);
  return bare;
}

/** The results of all works. @throws ConfigurationError with the problems of all of them. */
export function together<T extends readonly unknown[] | []>(works: { readonly [K in keyof T]: () => T[K] }): T {
  const results = works.map((work) => attempt(work));
  const problems = results.filter((each) => each instanceof ConfigurationError);
  if (problems.length > 0) throw new ConfigurationError(problems.map(({ message }) => message).join('\n\n'));
  return results as unknown as T;
}

/** The chosen environments; none if no environment matches `env` any more. The loading of environments reports that error. */
export function namesNow(env: readonly string[]): string[] {
  const chosen = attempt(() => chooseEnvironments(env));
  return chosen instanceof ConfigurationError ? [] : chosen;
}
