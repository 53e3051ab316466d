import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { parsedJson } from '../../client/index.ts';
import { fileRoles, isThere, readText } from '../../config/files/index.ts';
import {
  attempt,
  ConfigurationError,
  environmentFiles,
  environmentNames,
  factsIn,
  type Held,
  loadContract,
  loadEnvironment,
  observedFolder,
  readObserved,
} from '../../config/index.ts';
import { Facts } from '../../engine/facts/index.ts';
import { areaIds } from '../../spec/index.ts';
import {
  compareSurveys,
  compareWithDocument,
  type Difference,
  type Format,
  formats,
  type Learned,
  showDifferences,
} from '../../survey/index.ts';
import { printable } from '../output/terminal.ts';

/** `sextant compare`: the differences between what is known of two environments, or a document and one, by consumer impact. */
export function compare(): Command {
  return new Command('compare')
    .argument('<before>', 'what consumers rely on: an environment, a file of facts, or an OpenAPI document')
    .argument('<after>', 'what they would get instead: the same')
    .addOption(new Option('--format <format>', 'output format').choices(formats).default('text'))
    .action((before: string, after: string, { format }: { format: Format }) => {
      const differences = differencesOf(before, after);
      // Facts hold the words of a service.
      process.stdout.write(printable(showDifferences(differences, { before, after }, format)));
      process.exitCode = differences.some(({ impact }) => impact === 'breaking') ? 1 : 0;
    });
}

/** The differences between two sides as a user names them: an environment, a file of facts, or an OpenAPI document. */
function differencesOf(before: string, after: string): Difference[] {
  const [isFirst, isSecond] = [isOpenApi(before), isOpenApi(after)];
  if (!isFirst && !isSecond) return compareSurveys(learnedOf(before), learnedOf(after));
  if (isFirst && isSecond)
    throw new ConfigurationError('Both are OpenAPI documents: one must be an environment, or a file of facts.');
  const [name, other] = isFirst ? [before, after] : [after, before];
  const loaded = environmentNames().includes(other) ? attempt(() => loadEnvironment(other)) : undefined;
  // Addresses are all that a comparison needs of an environment: without its secrets, e.g. in CI, paths must do.
  const held = !loaded || loaded instanceof ConfigurationError ? anywhere : loaded;
  const document = { name, operations: loadContract([resolve(name)], held).operations };
  return compareWithDocument(document, learnedOf(other), isFirst ? 'document' : 'survey');
}

/** Without an environment, paths begin at the server's own. */
const anywhere: Held = {
  addresses: Object.fromEntries(areaIds.map((area) => [area, new URL('http://any.invalid/')])) as Held['addresses'],
};

/** A file in YAML, or in JSON with the version of OpenAPI or Swagger at its top. */
function isOpenApi(name: string): boolean {
  if (/\.ya?ml$/i.test(name)) return true;
  if (!/\.json$/i.test(name)) return false;
  const found = parsedJson(readText(name, fileRoles.given));
  return typeof found === 'object' && found !== null && ('openapi' in found || 'swagger' in found);
}

function learnedOf(name: string): Learned {
  if (name.endsWith('.json')) return { facts: factsIn(name), answers: [] };
  if (!environmentNames().includes(name))
    throw new ConfigurationError(
      `There is no environment "${name}". Environments: ${environmentNames().join(', ') || 'none'}.`,
    );
  const { facts: path } = environmentFiles(name);
  const facts = isThere(path, fileRoles.facts) ? factsIn(path) : new Facts();
  const answers = [...readObserved(observedFolder(name)).values()];
  if (facts.size + answers.length === 0)
    throw new ConfigurationError(`Nothing is known of ${name} yet. Run \`npx sextant survey --env ${name}\`.`);
  return { facts, answers };
}
