import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';

const [, ...sections] = readFileSync(join(projectRoot, 'CONTRIBUTING.md'), 'utf8').split(/^## Add /m);

/** The paths in the numbered steps of each "Add …" section of CONTRIBUTING, by heading without `Add `. */
export const steps: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  sections.map((section) => {
    const [heading = '', ...lines] = section.split(/\n(?=## )/)[0]?.split('\n') ?? [];
    const numbered = lines.join('\n').match(/^\d+\. .*(\n {3}.*)*/gm) ?? [];
    return [
      heading,
      numbered.map((step) => [...step.matchAll(/`([\w-]+\/[\w./*<>-]*)`/g)].map(([, path = '']) => path)),
    ];
  }),
);

/** The step of a section that names a file, from 1: the one that names it most exactly; 0 if none does. */
export function stepOf(file: string, paths: readonly (readonly string[])[]): number {
  const named = paths.map((step) => step.filter((path) => covers(path, file)).map(({ length }) => length));
  const most = Math.max(0, ...named.flat());
  return named.findIndex((lengths) => most > 0 && lengths.includes(most)) + 1;
}

/** Whether a path on the page stands for a file: the file itself, one in the folder, or one that matches the pattern. */
function covers(path: string, file: string): boolean {
  const pattern = path.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\*|<\w+>/g, '[^/]+');
  return new RegExp(`^${pattern}${path.endsWith('/') ? '.+' : '$'}`).test(file);
}
