import { basename, dirname, join } from 'node:path';
import { ConfigurationError, counted } from '../../config/index.ts';
import type { Scenario } from '../../runner/index.ts';
import { globMatches } from './glob.ts';
import { fits, type Words, wordsText } from './words.ts';

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
