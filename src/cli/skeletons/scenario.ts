import { ConfigurationError } from '../../config/index.ts';
import { isPackage, specModule } from '../../config/project-root.ts';
import { type AreaId, type Effect, exampleCalls } from '../../spec/index.ts';
import { type Change, fits, newFile, type Skeleton, slug } from './insert.ts';

export interface ScenarioWish {
  /** The story, or the name of its file. */
  readonly name: string;
  readonly area: AreaId;
  readonly effect: Effect;
}

/**
 * `taken` are the titles that there are, with their files.
 * @throws ConfigurationError for a name that no file can have, or that a scenario has already.
 */
export function scenarioSkeleton({ name, area, effect }: ScenarioWish, taken: ReadonlyMap<string, string>): Skeleton {
  const story = /^[a-z0-9-]+$/.test(name) ? name.replaceAll('-', ' ').trim() : name.trim();
  const file = slug(story);
  if (!/^[a-z]/.test(file) || file.length > 60 || !/^[\w ,.()-]+$/.test(story))
    throw new ConfigurationError(
      `${JSON.stringify(name.slice(0, 80))} can't be the name of a scenario; expected: its story in at most 60 letters and digits, like "love, then unlove".`,
    );
  const there = taken.get(story);
  if (there)
    throw new ConfigurationError(`${JSON.stringify(story)} is a scenario already: ${there}. Choose another title.`);
  const spec = `tests/scenarios/${file}.spec.ts`;
  return {
    changes: [scenarioFile(spec, story, area, effect, `call ${area}, and end each call in what should come of it`)],
    next: [
      `write the story in ${spec}, and delete its line \`unwritten\``,
      ...(effect === 'read' ? [] : [CLEAN_UP]),
      `see it in both runners: npx sextant check --env local --scenario ${JSON.stringify(story)}; npx sextant test --grep ${JSON.stringify(story)}`,
      ...(isPackage
        ? []
        : ['reference-service/faults/: a fault that it catches, unless it catches one already (CONTRIBUTING.md)']),
    ],
  };
}

const CLEAN_UP = `declare clean-up on the line after each change: \`defer(() => ${exampleCalls.undo}.settles());\``;

/** A scenario that calls nothing yet. */
export function scenarioFile(file: string, title: string, area: AreaId, effect: Effect, what: string): Change {
  const [story, details, body] = [`'${title}'`, `{ tag: ['@${area}', '@${effect}'] }`, `async ({ ${area} }) => {`];
  const lines = [`// await ${area}.….succeeds();`, `unwritten(${area}, '${what}');`];
  const inLine = `scenario(${story}, ${details}, ${body}`;
  const code = fits(inLine)
    ? [inLine, ...lines.map((line) => `  ${line}`), '});']
    : ['scenario(', `  ${story},`, `  ${details},`, `  ${body}`, ...lines.map((line) => `    ${line}`), '  },', ');'];
  return newFile(file, `import { scenario, unwritten } from '${specModule}';\n\n${code.join('\n')}\n`);
}
