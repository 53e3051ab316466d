import { basename, dirname, join } from 'node:path';
import { ConfigurationError, counted, didYouMean, environmentNames, globMatches } from '../../environment/index.ts';
import { allScenarios, loadQuarantine, type Quarantined, type Scenario } from '../../run/index.ts';
import { fits, type Words, wordsText } from './selection-options.ts';

/** Option that skips scenarios with permanent changes: they delete a stored item, or leave a clone or a report. */
export const KEEP_ITEMS = '--keep-items';
export const KEEP_ITEMS_HELP =
  'leave out scenarios that can’t be undone: they delete a stored item, or leave a clone or a report for good';

export interface ScenarioChoice extends Words {
  /** A glob for the whole title: `*` is any text, `?` is one character, case-insensitive. */
  readonly scenario?: string;
  /** Skips scenarios that delete a stored item, or leave a clone or a report for good. */
  readonly keepItems?: boolean;
}

/**
 * The scenarios that match every option, and every scenario whose spec has a mistake.
 * @throws ConfigurationError if there is no such scenario, with the names that the user probably meant
 */
export function chooseScenarios(all: readonly Scenario[], choice: ScenarioChoice): readonly Scenario[] {
  const { scenario: glob, keepItems = false, ...words } = choice;
  const isKept = ({ details: { tag } }: Scenario) => keepItems && tag.includes('@irreversible');
  const chosen = all.filter(
    (each) => (glob === undefined || globMatches(glob, each.title)) && fits(textOf(each), words) && !isKept(each),
  );
  // A spec with a mistake may declare one of the chosen scenarios, so its mistake must be reported.
  const mistaken = all.filter((each) => each.mistake && !chosen.includes(each));
  if (chosen.length + mistaken.length > 0) return [...chosen, ...mistaken];
  const asked = [
    ...(glob === undefined ? [] : [`--scenario ${JSON.stringify(glob)}`]),
    wordsText(words),
    ...(keepItems ? [KEEP_ITEMS] : []),
  ];
  throw new ConfigurationError(
    `None of ${counted(all.length, 'scenario')} matches ${asked.join(' ').trim()}${hintFor(all, choice)}`,
  );
}

/** A hint for the user: the tag or title that was probably meant or, if none is similar, the possible choices. */
function hintFor(all: readonly Scenario[], { scenario: glob, tag = [] }: ScenarioChoice): string {
  const tags = [...new Set(all.flatMap(({ details }) => details.tag))].sort();
  const titles = all.map(({ title }) => title);
  const unknown = tag.map((each) => each.replace(/^@?/, '@')).filter((each) => !tags.includes(each));
  const meant = [...unknown.map((each) => didYouMean(each, tags)), glob ? didYouMean(glob, titles) : ''].join('');
  if (meant !== '') return `${meant}.`;
  if (unknown.length > 0) return `. Tags: ${tags.join(' ')}.`;
  if (glob !== undefined) return `. In --scenario, "*" matches any text, e.g. --scenario '*profile*'.`;
  return ". `npx sextant environments check NAME` lists every scenario; `check --scenario '*profile*'` chooses by title.";
}

/** The text that `--grep` is matched against. Playwright matches the same text, with the environment's name in addition. */
function textOf({ file, title, details }: Scenario): string {
  return `${join(basename(dirname(file)), basename(file))} ${title} ${details.tag.join(' ')}`;
}

/**
 * Loads the quarantine list, and checks its names. An entry with a typo would quarantine nothing, and nobody would ever remove it.
 * @throws ConfigurationError with every title and environment that doesn't exist; FileTrouble if the list can't be read
 */
export async function checkedQuarantine(): Promise<readonly Quarantined[]> {
  const entries = loadQuarantine();
  if (entries.length === 0) return entries;
  const titles = (await allScenarios()).map(({ title }) => title);
  const environments = environmentNames();
  const problems = entries.flatMap(({ title, environment }) => [
    ...(titles.includes(title) ? [] : [`there is no scenario ${JSON.stringify(title)}${didYouMean(title, titles)}`]),
    ...(environment === undefined || environments.includes(environment)
      ? []
      : [`there is no environment ${JSON.stringify(environment)}${didYouMean(environment, environments)}`]),
  ]);
  if (problems.length > 0) throw new ConfigurationError(`The quarantine list can't be used: ${problems.join('; ')}.`);
  return entries;
}
