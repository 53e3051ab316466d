import { dirname } from 'node:path';
import { doors, innerRules, MOST_FILES, tidyRooms } from './allowed.ts';
import type { Import } from './imports-of.ts';

const LIST = 'tools/layers/allowed.ts';

/** Problems with doors, inner rules, directions and sizes of rooms, each with its place and cure. */
export function roomComplaints(files: readonly string[], imports: readonly Import[]): string[] {
  const ofProgram = imports.filter(({ file, isLoaded }) => !isLoaded && !isFree(file));
  return [
    ...ofProgram.flatMap((each) => besideDoor(each) ?? []),
    ...ofProgram.flatMap((each) => againstRule(each) ?? []),
    ...tidyRooms.flatMap((room) =>
      bothWays(ofProgram.filter(({ file, target }) => file.startsWith(room) && target.startsWith(room))),
    ),
    ...crowded(files),
  ];
}

/** Tests and tools look behind every door. */
function isFree(file: string): boolean {
  return file.endsWith('.test.ts') || /^(?:src\/testing|tools)\//.test(file);
}

function besideDoor({ file, line, target }: Import): string | undefined {
  const room = Object.keys(doors).find((each) => target.startsWith(each) && !file.startsWith(each));
  if (!room) return undefined;
  const inside = target.slice(room.length);
  if (inside === 'index.ts' || inside in (doors[room] ?? {})) return undefined;
  return `${file}:${line}: ${target} is inside ${room}. Import it from ${room}index.ts, and export it there; where that would load too much, name it with the reason in \`doors\` of ${LIST}.`;
}

function againstRule(each: Import): string | undefined {
  const { file, line, target } = each;
  const folder = Object.keys(innerRules).find((name) => file.startsWith(name) && !target.startsWith(name));
  const rule = folder && innerRules[folder];
  if (!rule) return undefined;
  const room = folder.split('/').slice(0, 2).join('/');
  if (!target.startsWith(`${room}/`) || rule.mayImport.some((name) => target.startsWith(`${room}/${name}`)))
    return undefined;
  const allowed = rule.mayImport.join(', ') || 'nothing else of its room';
  return `${file}:${line}: ${folder} ${rule.is}, so it may not import ${target}. It may import ${allowed}: pass it what it needs as an argument, or move the code out of it. The rules are in ${LIST}.`;
}

/** Two folders that import each other are one folder, or three. The room's own door is not counted. */
function bothWays(imports: readonly Import[]): string[] {
  const across = imports.filter(
    ({ file, target }) => dirname(file) !== dirname(target) && !/^src\/\w[\w-]*\/index\.ts$/.test(file),
  );
  const between = Map.groupBy(across, ({ file, target }) => `${dirname(file)} ${dirname(target)}`);
  return [...between].flatMap(([pair, there]) => {
    const [from = '', to = ''] = pair.split(' ');
    const back = between.get(`${to} ${from}`);
    if (!back || there.length > back.length || (there.length === back.length && from > to)) return [];
    return there.map(
      ({ file, line, target }) =>
        `${file}:${line}: ${from}/ and ${to}/ import each other. Move what both need into a folder below them, or this file to the folder of ${target}.`,
    );
  });
}

function crowded(files: readonly string[]): string[] {
  const own = files.filter((file) => !file.endsWith('.test.ts') && tidyRooms.some((room) => file.startsWith(room)));
  return [...Map.groupBy(own, (file) => dirname(file))].flatMap(([folder, inside]) =>
    inside.length > MOST_FILES
      ? [
          `${folder}/: it holds ${inside.length} files beside their tests, more than ${MOST_FILES}. Give those of one subject a folder of their own.`,
        ]
      : [],
  );
}
