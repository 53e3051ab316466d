import { ConfigurationError } from '../config/index.ts';
import type { Scenario } from '../runner/index.ts';
import { globMatches } from './glob.ts';

/**
 * The scenarios whose title matches a glob (`*` any text, `?` one character, case-insensitive).
 * @throws ConfigurationError that lists the titles when none does.
 */
export function chooseScenarios(all: readonly Scenario[], glob: string | undefined): readonly Scenario[] {
  if (glob === undefined) return all;
  const chosen = all.filter(({ title }) => globMatches(glob, title));
  if (chosen.length > 0) return chosen;
  const titles = all.map(({ title }) => `  ${title}`).join('\n');
  throw new ConfigurationError(
    `No scenario title matches --scenario ${JSON.stringify(glob)}. "*" matches any text, e.g. --scenario '*profile*'. Scenarios:\n${titles}`,
  );
}
