import { doors, layerOf, layers, mayImport, startedByName } from './allowed.ts';
import type { Import } from './imports-of.ts';

const LIST = 'tools/layers/allowed.ts';

/** Problems with the places of files and with what they import, each with its place and cure. */
export function layerComplaints(files: readonly string[], imports: readonly Import[]): string[] {
  const entering = imports.filter(({ isLoaded }) => !isLoaded);
  // Tests and tools look behind every door.
  const ofProgram = entering.filter(
    ({ file }) => !file.endsWith('.test.ts') && !/^(?:src\/testing|tools)\//.test(file),
  );
  return [
    ...unlisted(files),
    ...entering.flatMap((each) => acrossLayers(each) ?? []),
    ...ofProgram.flatMap((each) => besideDoor(each) ?? []),
    ...onlyTested(imports),
  ];
}

function unlisted(files: readonly string[]): string[] {
  // The folder that the list would name: one level down in `src/`, else at the root.
  const folders = files.flatMap((file) => (layerOf(file) ? [] : (/^(?:src\/)?[^/]+\//.exec(file) ?? [])));
  return [...new Set(folders)].map(
    (folder) =>
      `${folder}: it is not on the list of layers. Add a line to ${LIST} with its contents and its allowed imports, below those; then run \`npm run pages\`.`,
  );
}

function acrossLayers({ file, line, target }: Import): string | undefined {
  const [from, to] = [layerOf(file), layerOf(target)];
  if (from === undefined || to === undefined || mayImport(from, to)) return undefined;
  return `${file}:${line}: ${from} may not import ${target}. ${cure(from, to)} The list is ${LIST}.`;
}

function cure(from: string, to: string): string {
  const allowed = layers[from]?.mayImport ?? [];
  const names = allowed === 'everything' ? 'everything but tests' : allowed.join(', ') || 'nothing of the project';
  if (to.endsWith('.test.ts')) return 'Move what both need to src/testing/.';
  if (to === 'src/testing/') return `It contains test helpers; move what the program needs to another layer.`;
  if (from === 'tests/') return 'A spec imports only from fixtures/: export it there.';
  return `It may import ${names}. Declare what it needs as an interface there and pass it as an argument, or move the code to a layer that may import it.`;
}

function besideDoor({ file, line, target }: Import): string | undefined {
  const room = Object.keys(doors).find((each) => target.startsWith(each) && !file.startsWith(each));
  const inside = target.slice(room?.length);
  if (!room || inside === 'index.ts' || inside in (doors[room] ?? {})) return undefined;
  return `${file}:${line}: ${target} is inside ${room}. Import it from ${room}index.ts, and export it there; where that would load too much, name it with the reason in \`doors\` of ${LIST}.`;
}

/** Files of the program that only tests import: helpers of tests, or code that nothing needs. */
function onlyTested(imports: readonly Import[]): string[] {
  const isOfTests = (file: string) => ['**/*.test.ts', 'src/testing/'].includes(layerOf(file) ?? '');
  const targetsOf = (some: readonly Import[]) => new Set(some.map(({ target }) => target));
  const { true: byTests = [], false: byOthers = [] } = Object.groupBy(imports, ({ file }) => `${isOfTests(file)}`);
  return [...targetsOf(byTests).difference(targetsOf(byOthers))]
    .filter((file) => /^(src|reference-service|fixtures)\//.test(file) && !isOfTests(file))
    .filter((file) => !startedByName.includes(file))
    .map((file) => `${file}: only tests import it. Move a test helper to src/testing/, or delete unused code.`);
}
