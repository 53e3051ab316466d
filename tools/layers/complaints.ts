import { outputComplaints } from '../outputs/complaints.ts';
import { sourceOf, textsOf } from '../sources.ts';
import { type Import, importsOf } from './imports-of.ts';
import { importable, pastDoors, roomOf, stack, startedByName } from './stack.ts';

const LIST = 'tools/layers/stack.ts';

/** Problems with the imports and the outputs of files, each with its place and cure. */
export function sourceComplaints(texts: ReadonlyMap<string, string> = textsOf('**/*.ts')): string[] {
  const sources = [...texts].map(([file, text]) => sourceOf(file, text));
  const imports = sources.flatMap(importsOf);
  const entering = imports.filter(({ isLoaded }) => !isLoaded).flatMap((each) => enteringProblem(each) ?? []);
  return [...withoutRoom([...texts.keys()]), ...entering, ...onlyTested(imports), ...outputComplaints(sources)];
}

function withoutRoom(files: readonly string[]): string[] {
  // For each file that belongs to no room (layer), the folder that needs a line in the list of rooms: a folder in `src/`, otherwise a
  // top-level folder.
  const folders = files.flatMap((file) => (roomOf(file) ? [] : (/^(?:src\/)?[^/]+\//.exec(file) ?? [])));
  return [...new Set(folders)].map(
    (folder) =>
      `${folder}: it is no room of the stack. Add a line to ${LIST}, above all that it imports; then run \`npm run pages\`.`,
  );
}

/**
 * Complains about an import that breaks the rules: a room (a layer of the program) imports the rooms below it, through their `index.ts`.
 * Tests and tools may import any file except tests.
 */
function enteringProblem({ file, line, target }: Import): string | undefined {
  const [from, to] = [roomOf(file), roomOf(target)];
  if (!from || !to || (from === to && to !== 'tests')) return undefined;
  if (!importable(from).includes(to))
    return `${file}:${line}: ${from} may not import ${target}. ${cure(from, to)} The list is ${LIST}.`;
  const door = `${stack[to]?.[0]}index.ts`;
  const isFree = ['testing', 'tools', 'tests'].includes(from) || door.includes('*');
  if (isFree || target === door || Object.values(pastDoors).flat().includes(target)) return undefined;
  return `${file}:${line}: ${target} is inside ${to}. Import it from ${door}, and export it there; where that would load too much, name it with the reason in \`pastDoors\` of ${LIST}.`;
}

function cure(from: string, to: string): string {
  if (to === 'tests') return 'Move what both need to src/testing/.';
  if (to === 'testing') return 'It contains test helpers; move what the program needs to a room below.';
  if (from === 'specs') return 'A spec imports only from fixtures/: export it there.';
  const rooms = importable(from).join(', ') || 'no other room';
  return `It may import ${rooms}. Move the code to one of these, or declare here what it needs as an interface and take it as an argument.`;
}

/** Complains about files of the program that only tests import: helpers of tests, or unused code. */
function onlyTested(imports: readonly Import[]): string[] {
  const isOfTests = (file: string) => ['tests', 'testing'].includes(roomOf(file) ?? '');
  const targetsOf = (some: readonly Import[]) => new Set(some.map(({ target }) => target));
  const { true: byTests = [], false: byOthers = [] } = Object.groupBy(imports, ({ file }) => `${isOfTests(file)}`);
  return [...targetsOf(byTests).difference(targetsOf(byOthers))]
    .filter((file) => /^(src|reference-service|fixtures)\//.test(file) && !isOfTests(file))
    .filter((file) => !startedByName.includes(file))
    .map((file) => `${file}: only tests import it. Move a test helper to src/testing/, or delete unused code.`);
}
