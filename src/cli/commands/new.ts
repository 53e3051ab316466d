import { join, relative } from 'node:path';
import { Command, Option } from 'commander';
import { redact } from '../../client/index.ts';
import { fileRoles, isThere, replaceText } from '../../config/files/index.ts';
import { ConfigurationError } from '../../config/index.ts';
import { isPackage, specModule, workFolder } from '../../config/project-root.ts';
import { type AreaId, areaIds, type Effect, effects, exampleCalls } from '../../spec/index.ts';
import { slug } from '../choosing/words.ts';
import { say } from '../output/terminal.ts';

/** `sextant new scenario`: copies a template that compiles, and is red until its story is written. */
export function newThing(): Command {
  const command = new Command('new').exitOverride();
  command
    .command('scenario')
    .description('a scenario in tests/scenarios, for both runners')
    .argument('<name>', 'its story, e.g. "love two stories"')
    .addOption(new Option('--area <area>', 'area that it belongs to').choices([...areaIds]).makeOptionMandatory())
    .addOption(new Option('--effect <effect>', 'what it leaves behind').choices([...effects]).default('read'))
    .action(newScenario);
  return command;
}

async function newScenario(name: string, wish: Wish): Promise<void> {
  // Loaded only here: it imports every spec.
  const { allScenarios } = await import('../../runner/index.ts');
  const taken = new Map((await allScenarios()).map(({ title, file }) => [title, relative(workFolder, file)]));
  const { spec, text, next } = scenarioFile(name, wish, taken);
  const path = join(workFolder, spec);
  if (isThere(path, fileRoles.project)) throw new ConfigurationError(`${spec} exists already. Choose another title.`);
  replaceText(path, redact(text), fileRoles.project);
  say([`wrote ${spec}`, '', 'Next:', ...next.map((line) => `- ${line}`)].join('\n'));
}

interface Wish {
  readonly area: AreaId;
  readonly effect: Effect;
}

/**
 * The template with a story; `taken` are the titles that exist, with their files.
 * @throws ConfigurationError for a name that no file can have, or that a scenario has already.
 */
export function scenarioFile(name: string, { area, effect }: Wish, taken: ReadonlyMap<string, string>) {
  const story = /^[a-z0-9-]+$/.test(name) ? name.replaceAll('-', ' ').trim() : name.trim();
  const file = slug(story);
  if (!/^[a-z]/.test(file) || file.length > 60 || !/^[\w ,.()-]+$/.test(story))
    throw new ConfigurationError(
      `${JSON.stringify(name.slice(0, 80))} can't be the name of a scenario; expected: its story in at most 60 letters and digits, like "love, then unlove".`,
    );
  const same = taken.get(story);
  if (same) throw new ConfigurationError(`"${story}" is a scenario already: ${same}. Choose another title.`);
  const spec = `tests/scenarios/${file}.spec.ts`;
  const quoted = JSON.stringify(story);
  return {
    spec,
    text: template(story, area, effect),
    next: [
      `write the story in ${spec}, and delete its line \`unwritten\``,
      ...(effect === 'read' ? [] : [CLEAN_UP]),
      `see it in both runners: npx sextant check --env local --scenario ${quoted}; npx sextant test --grep ${quoted}`,
      ...(isPackage ? [] : IN_CHECKOUT),
    ],
  };
}

const CLEAN_UP = `declare clean-up on the line after each change: \`defer(() => ${exampleCalls.undo}.settles());\``;

const IN_CHECKOUT = [
  'reference-service/faults/: a fault that it catches, unless it catches one already (CONTRIBUTING.md)',
  'npm run format, then npm run check',
];

const template = (story: string, area: AreaId, effect: Effect) => `import { scenario, unwritten } from '${specModule}';

scenario('${story}', { tag: ['@${area}', '@${effect}'] }, async ({ ${area} }) => {
  // await ${area}.….succeeds();
  unwritten(${area}, 'call ${area}, and end each call in what should come of it');
});
`;
