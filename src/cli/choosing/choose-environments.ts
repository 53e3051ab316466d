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
 * The environments that `--env` names, without duplicates, in the order given. Each word is a name or a pattern (`prod-*`, `*`). Without
 * any word, returns the embedded environment. Refuses paths, so that a name can't lead to another folder.
 * @throws ConfigurationError with every path, and every pattern that matches no environment
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
    // A name is not checked here, because loading the environment reports an unknown name.
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

/** `--env` of commands that accept several environments: a name or a pattern, repeatable. */
export function environmentOption(purpose: string): Option {
  return new Option(
    '--env <name>',
    `environment to ${purpose}: a name or a pattern ("prod-*"); repeat for several`,
  ).argParser(append);
}

/**
 * The option `--set`. It replaces an address of the environment's file, for example by the address to which a pipeline has just deployed
 * the service.
 */
export function setOption(): Option {
  return new Option(
    '--set <key=address>',
    'another address than the file’s, e.g. FRIEND_URL=https://…; repeat for several',
  )
    .argParser(append)
    .default([], 'none');
}

/**
 * Loads the environments that `--env` names, with the addresses that `--set` gives.
 * @throws ConfigurationError with the problems of all environments
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
 * Loads an environment for a command that works without facts, observed responses and OpenAPI documents. If only these files have mistakes,
 * calls `report` with the mistakes, and loads the environment without the files.
 * @throws ConfigurationError with all problems, if anything else has a mistake
 */
export function loadBare(name: string, report: (mistakes: string) => void): Environment {
  const whole = attempt(() => loadEnvironment(name));
  if (!(whole instanceof ConfigurationError)) return whole;
  const bare = attempt(() => loadEnvironment(name, { isBare: true }));
  if (bare instanceof ConfigurationError) throw whole;
  report(whole.message);
  return bare;
}

/**
 * Calls all functions, and returns their results.
 * @throws ConfigurationError with the problems of all functions
 */
export function together<T extends readonly unknown[] | []>(works: { readonly [K in keyof T]: () => T[K] }): T {
  const results = works.map((work) => attempt(work));
  const problems = results.filter((each) => each instanceof ConfigurationError);
  if (problems.length > 0) throw new ConfigurationError(problems.map(({ message }) => message).join('\n\n'));
  return results as unknown as T;
}

/**
 * The names of the environments that match `--env` at this moment. Empty if a pattern matches no environment: the attempt to load the
 * environments reports this mistake.
 */
export function namesNow(env: readonly string[]): string[] {
  const chosen = attempt(() => chooseEnvironments(env));
  return chosen instanceof ConfigurationError ? [] : chosen;
}
