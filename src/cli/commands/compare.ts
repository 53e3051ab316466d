import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { parsedJson } from '../../client/index.ts';
import { fileRoles, readText } from '../../config/files/index.ts';
import {
  attempt,
  ConfigurationError,
  environmentNames,
  type Held,
  loadContract,
  loadEnvironment,
  observedFolder,
  readObserved,
} from '../../config/index.ts';
import { areaIds } from '../../spec/index.ts';
import {
  compareSurveys,
  compareWithDocument,
  type Difference,
  type Format,
  formats,
  keptSurvey,
  type Learned,
  readSurvey,
  showDifferences,
} from '../../survey/index.ts';
import { printable } from '../output/terminal.ts';

/** `sextant compare`: the differences between two surveys, or a document and a survey, by consumer impact. */
export function compare(): Command {
  return new Command('compare')
    .argument(
      '<before>',
      'what consumers rely on: an environment, a JSON file written by survey, or an OpenAPI document',
    )
    .argument('<after>', 'what they would get instead: the same')
    .addOption(new Option('--format <format>', 'output format').choices(formats).default('text'))
    .action((before: string, after: string, { format }: { format: Format }) => {
      const differences = differencesOf(before, after);
      // A survey holds the words of a service.
      process.stdout.write(printable(showDifferences(differences, { before, after }, format)));
      process.exitCode = differences.some(({ impact }) => impact === 'breaking') ? 1 : 0;
    });
}

/** The differences between two sides as a user names them: an environment, a survey's file, or an OpenAPI document. */
function differencesOf(before: string, after: string): Difference[] {
  const [isFirst, isSecond] = [isOpenApi(before), isOpenApi(after)];
  if (!isFirst && !isSecond) return compareSurveys(surveyOf(before), surveyOf(after));
  if (isFirst && isSecond)
    throw new ConfigurationError(
      'Both are OpenAPI documents: one must be an environment, or a file that survey wrote.',
    );
  const [name, other] = isFirst ? [before, after] : [after, before];
  const loaded = environmentNames().includes(other) ? attempt(() => loadEnvironment(other)) : undefined;
  // Addresses are all that a comparison needs of an environment: without its secrets, e.g. in CI, paths must do.
  const held = !loaded || loaded instanceof ConfigurationError ? anywhere : loaded;
  const document = { name, operations: loadContract([resolve(name)], held).operations };
  return compareWithDocument(document, observedOf(other) ?? surveyOf(other), isFirst ? 'document' : 'survey');
}

/** Without an environment, paths begin at the server's own. */
const anywhere: Held = {
  addresses: Object.fromEntries(areaIds.map((area) => [area, new URL('http://any.invalid/')])) as Held['addresses'],
};

/** A file in YAML, or in JSON with the version of OpenAPI or Swagger at its top. */
function isOpenApi(name: string): boolean {
  if (/\.ya?ml$/i.test(name)) return true;
  if (!/\.json$/i.test(name)) return false;
  const found = parsedJson(readText(name, fileRoles.survey));
  return typeof found === 'object' && found !== null && ('openapi' in found || 'swagger' in found);
}

function surveyOf(name: string): Learned {
  if (name.endsWith('.json')) return readSurvey(name);
  const kept = keptSurvey(name);
  if (kept) return kept;
  const isKnown = environmentNames().includes(name);
  throw new ConfigurationError(
    isKnown
      ? `There is no survey of ${name} yet. Run \`npx sextant survey --env ${name}\`.`
      : `There is no environment "${name}" and no survey of it. Environments: ${environmentNames().join(', ') || 'none'}.`,
  );
}

/** The committed responses of an environment whose survey isn't there; `undefined` if it has none. */
function observedOf(name: string): Learned | undefined {
  if (!environmentNames().includes(name) || keptSurvey(name)) return undefined;
  const observed = readObserved(observedFolder(name));
  return observed.size === 0 ? undefined : { facts: [], answers: [...observed.values()] };
}
