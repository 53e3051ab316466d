import { ConfigurationError, type Environment, loadEnvironment } from '../config/index.ts';

/**
 * Loads environments by name, each once.
 * @throws ConfigurationError with the problems of all of them.
 */
export function loadEnvironments(names: readonly string[]): Environment[] {
  const loaded: Environment[] = [];
  const problems: string[] = [];
  for (const name of new Set(names)) {
    try {
      loaded.push(loadEnvironment(name));
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0) throw new ConfigurationError(problems.join('\n\n'));
  return loaded;
}
