import { layerOf, layers, mayImport } from './allowed.ts';
import type { Import } from './imports-of.ts';

const LIST = 'tools/layers/allowed.ts';

/** Problems with the places and imports of files, each with its place and cure. */
export function layerComplaints(files: readonly string[], imports: readonly Import[]): string[] {
  return [...unlisted(files), ...imports.flatMap((each) => crossing(each) ?? []), ...misplacedHelpers(imports)];
}

function unlisted(files: readonly string[]): string[] {
  const unknown = files.filter((file) => layerOf(file) === undefined);
  const folders = new Set(unknown.map(folderOf));
  return [...folders].map(
    (folder) =>
      `${folder}: it is not on the list of layers. Add a line to ${LIST} with its contents and its allowed imports, below those; then run \`npm run pages\`.`,
  );
}

/** The folder that the list would name: one level down in `src/`, else at the root. */
function folderOf(file: string): string {
  const steps = file.split('/');
  return `${steps.slice(0, steps[0] === 'src' && steps.length > 2 ? 2 : 1).join('/')}/`;
}

function crossing({ file, line, target, isLoaded }: Import): string | undefined {
  const [from, to] = [layerOf(file), layerOf(target)];
  if (isLoaded || from === undefined || to === undefined || mayImport(from, to)) return undefined;
  return `${file}:${line}: ${from} may not import ${target}. ${cure(from, to)} The list is ${LIST}.`;
}

/** Files of the program that only tests import: helpers of tests, or code that nothing needs. */
function misplacedHelpers(imports: readonly Import[]): string[] {
  const needed = new Set(imports.filter(({ file }) => !isOfTests(file)).map(({ target }) => target));
  const tested = imports.filter(
    ({ file, target }) => isOfTests(file) && !isOfTests(target) && /^(src|reference-service|fixtures)\//.test(target),
  );
  const misplaced = new Set(tested.map(({ target }) => target).filter((target) => !needed.has(target)));
  return [...misplaced].map(
    (file) => `${file}: only tests import it. Move a test helper to src/testing/, or delete unused code.`,
  );
}

function isOfTests(file: string): boolean {
  return ['**/*.test.ts', 'src/testing/'].includes(layerOf(file) ?? '');
}

function cure(from: string, to: string): string {
  const allowed = layers[from]?.mayImport ?? [];
  const names = allowed === 'everything' ? 'everything but tests' : allowed.join(', ') || 'nothing of the project';
  if (to.endsWith('.test.ts')) return 'Move what both need to src/testing/.';
  if (to === 'src/testing/') return `It contains test helpers; move what the program needs to another layer.`;
  if (from === 'tests/') return 'A spec imports only from fixtures/: export it there.';
  return `It may import ${names}. Declare what it needs as an interface there and pass it as an argument, or move the code to a layer that may import it.`;
}
