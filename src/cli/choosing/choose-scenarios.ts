import { basename, dirname, join } from 'node:path';
import { ConfigurationError, counted, didYouMean, environmentNames } from '../../config/index.ts';
import { allScenarios, type Scenario } from '../../runner/index.ts';
import { loadQuarantine } from '../../scenario/index.ts';
import { fits, globMatches, type Words, wordsText } from './words.ts';

export interface ScenarioChoice extends Words {
  /** A glob for the whole title: `*` any text, `?` one character, case-insensitive. */
  readonly scenario?: string;
}

/**
 * The scenarios that fit every word, and those that a mistake keeps from being played.
 * @throws ConfigurationError that lists the tags and titles when none does.
 */
export function chooseScenarios(all: readonly Scenario[], choice: ScenarioChoice): readonly Scenario[] {
  const { scenario: glob, ...words } = choice;
  const chosen = all.filter(
    (each) => (glob === undefined || globMatches(glob, each.title)) && fits(textOf(each), words),
  );
  // What a spec with a mistake declares may be among those asked for.
  const mistaken = all.filter((each) => each.mistake && !chosen.includes(each));
  if (chosen.length + mistaken.length > 0) return [...chosen, ...mistaken];
  const asked = [...(glob === undefined ? [] : [`--scenario ${JSON.stringify(glob)}`]), wordsText(words)];
  const hint = glob === undefined ? '' : ` In --scenario, "*" matches any text, e.g. --scenario '*profile*'.`;
  const tags = [...new Set(all.flatMap(({ details }) => details.tag))].sort().join(' ');
  const titles = all.map(({ title }) => `  ${title}`).join('\n');
  throw new ConfigurationError(
    `None of ${counted(all.length, 'scenario')} matches ${asked.join(' ').trim()}.${hint} Tags: ${tags}. Scenarios:\n${titles}`,
  );
}

/** What Playwright searches for `--grep` too, without the environment's name. */
function textOf({ file, title, details }: Scenario): string {
  return `${join(basename(dirname(file)), basename(file))} ${title} ${details.tag.join(' ')}`;
}

/**
 * A typo in the quarantine list would leave a scenario red, and its entry there for ever.
 * @throws ConfigurationError with every title and environment that doesn't exist; FileTrouble
 */
export async function assertQuarantine(): Promise<void> {
  const entries = loadQuarantine();
  if (entries.length === 0) return;
  const titles = (await allScenarios()).map(({ title }) => title);
  const environments = environmentNames();
  const problems = entries.flatMap(({ title, environment }) => [
    ...(titles.includes(title) ? [] : [`there is no scenario ${JSON.stringify(title)}${didYouMean(title, titles)}`]),
    ...(environment === undefined || environments.includes(environment)
      ? []
      : [`there is no environment ${JSON.stringify(environment)}${didYouMean(environment, environments)}`]),
  ]);
  if (problems.length > 0) throw new ConfigurationError(`The quarantine list can't be used: ${problems.join('; ')}.`);
}
