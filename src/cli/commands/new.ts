import { join, relative } from 'node:path';
import { Command, Option } from 'commander';
import { fileRoles, isThere, readText, replaceText } from '../../environment/files/index.ts';
import { ConfigurationError } from '../../environment/index.ts';
import { projectRoot, specModule, workFolder } from '../../environment/project-root.ts';
import { redact } from '../../redaction/index.ts';
import { type AreaId, areaIds, type Effect, effects } from '../../service/index.ts';
import { slug } from '../choosing/selection-options.ts';
import { say } from '../output/terminal.ts';

const template = join(projectRoot, 'src', 'cli', 'templates', 'scenario.spec.ts.template');

/**
 * `sextant new scenario`: copies a template. The new spec compiles, and its scenario fails until somebody replaces `unwritten` by calls.
 */
export function newThing(): Command {
  const command = new Command('new').exitOverride();
  command
    .command('scenario')
    .description('a scenario in tests/scenarios, for both runners')
    .argument('<name>', 'its story, e.g. "love two stories"')
    .addOption(new Option('--area <area>', 'area that it belongs to').choices([...areaIds]).makeOptionMandatory())
    .addOption(new Option('--effect <effect>', 'what it leaves behind').choices([...effects]).default('read'))
    .action(async (name: string, { area, effect }: { area: AreaId; effect: Effect }) => {
      // Loaded only here, because it imports every spec.
      const { allScenarios } = await import('../../run/index.ts');
      const taken = new Map((await allScenarios()).map(({ title, file }) => [title, relative(workFolder, file)]));
      const { story, spec } = placeOf(name, taken);
      const path = join(workFolder, spec);
      if (isThere(path, fileRoles.project))
        throw new ConfigurationError(`${spec} exists already. Choose another title.`);
      replaceText(path, redact(textOf({ story, area, effect })), fileRoles.project);
      say(`wrote ${spec}: write its story there. npx sextant check --env local --scenario '${story}' plays it.`);
    });
  return command;
}

/**
 * The call that undoes a change, by area. The other areas need none: the suite itself restores a profile, and changes in the remaining
 * areas can't be undone.
 */
const undoIn: Readonly<Record<string, string>> = {
  friends: 'friends.unblock({ friendId: friend.id })',
  stories: 'stories.unlove({ storyId: story.id })',
};

/** The text of a new spec, from the template. `story` becomes the title of the scenario. */
export function textOf({ story, area, effect }: Readonly<Record<'story' | 'area' | 'effect', string>>): string {
  const undo = undoIn[area];
  const words: Readonly<Record<string, string>> = {
    ...{ SEXTANT: specModule, STORY: story, AREA: area, EFFECT: effect },
    CLEANUP: undo ? ` Write the clean-up on the line after a change:\n// defer(() => ${undo}.settles());` : '',
  };
  return readText(template, fileRoles.project).replace(/\b[A-Z]{4,}\b/g, (word) => words[word] ?? word);
}

/**
 * The title of a new scenario (`story`), and the path of its spec. `taken` contains the existing titles with their files.
 * @throws ConfigurationError if no file can have this name, or a scenario already has this title
 */
export function placeOf(name: string, taken: ReadonlyMap<string, string>) {
  const story = name.trim();
  const file = slug(story);
  if (!/^[a-z]/.test(file) || file.length > 60 || !/^[\w ,.()-]+$/.test(story))
    throw new ConfigurationError(
      `${JSON.stringify(name.slice(0, 80))} can't be the name of a scenario; expected: its story in at most 60 letters and digits, like "love, then unlove".`,
    );
  const same = taken.get(story);
  if (same) throw new ConfigurationError(`"${story}" is a scenario already: ${same}. Choose another title.`);
  return { story, spec: `tests/scenarios/${file}.spec.ts` };
}
