import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, matchesGlob } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import { runtimePackages } from '../lockfile.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

/**
 * Carries out the steps of deploy/Dockerfile in a folder, where no image can be built: what its first stage runs with Node or copies,
 * and instead of `npm ci` and `npm prune` links to the packages that these would leave. The root then can't be written.
 */
export function buildInFolder(folder: string, volume: string) {
  // An instruction a line.
  const instructions = read('deploy/Dockerfile').replace(/^\s*#.*\n|\\\n\s*/gm, '');
  const [, first = '', last = ''] = instructions.split(/^FROM .*\n/m);
  if (!/^RUN npm ci /m.test(first) || !/^RUN npm prune --omit=dev /m.test(first))
    throw new Error('the first stage installs something else');
  if (!/^COPY --from=build \/app \/app$/m.test(last)) throw new Error('the last stage takes something else');
  const app = join(folder, 'app');
  const at = (text: string) => text.replace(/^\/data/, volume).replace(/^\/app/, app);
  const textsOf = (name: string, of = last) =>
    [...of.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, text = '']) => text);
  for (const [program, ...args] of textsOf('RUN', first).map((text) => text.split(' ')))
    if (program === 'node') execFileSync(process.execPath, args.map(at), { cwd: projectRoot });
    else if (program === 'cp') copy(args.map(at));
  const packages = runtimePackages();
  for (const path of packages.filter((each) => each.lastIndexOf('node_modules/') === 0)) {
    mkdirSync(dirname(join(app, path)), { recursive: true });
    symlinkSync(join(projectRoot, path), join(app, path), 'junction');
  }
  mkdirSync(volume, { recursive: true });
  execFileSync('chmod', ['-R', 'a-w', app]);
  const program = join(app, 'node_modules', 'sextant');
  return {
    app,
    program,
    packages,
    /** Of a million bytes each. */
    megabytes:
      [app, program, ...packages.map((path) => join(projectRoot, path))].map(bytesIn).reduce((a, b) => a + b) / 1e6,
    /** With names of arguments in the place of their values. */
    labels: pairsIn(textsOf('LABEL')),
    /** Its variables, with the volume in the place of `/data`. */
    env: Object.fromEntries(pairsIn(textsOf('ENV')).map(([name, value]) => [name, at(value)])),
    user: textsOf('USER').at(-1) ?? 'root',
    entrypoint: (JSON.parse(textsOf('ENTRYPOINT').at(-1) ?? '[]') as string[]).map(at),
    healthcheck: (JSON.parse(/CMD (\[.*\])/.exec(textsOf('HEALTHCHECK').at(-1) ?? '')?.[1] ?? '[]') as string[]).map(
      at,
    ),
  };
}

/** A `docker run` of a page or a workflow: the variables that it gives the container, and its words. */
export interface ContainerStart {
  readonly variables: readonly string[];
  readonly words: readonly string[];
}

export function containerStarts(text: string): ContainerStart[] {
  const lines = text
    .replace(/\\\n\s*/g, '')
    .matchAll(/docker run (.*?) sextant ((?:check|test|monitor|prober)\b.*)$/gm);
  return [...lines].map(([, options = '', words = '']) => ({
    variables: [...options.matchAll(/ -e (\S+)/g)].map(([, name = '']) => name),
    words: words.trim().split(' '),
  }));
}

/** The names and values of ENV or LABEL instructions. */
function pairsIn(texts: readonly string[]): [name: string, value: string][] {
  const pairs = texts.flatMap((text) => [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)]);
  return pairs.map(([, name = '', quoted, plain = '']) => [name, quoted ?? plain]);
}

function copy(words: readonly string[]): void {
  const to = words.at(-1) ?? '.';
  for (const from of words.slice(0, -1)) cpSync(join(projectRoot, from), join(to, basename(from)));
}

const ignoreLines = read('.dockerignore')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('#'));

/** Whether .dockerignore keeps a path out of the build. */
export function isIgnored(path: string): boolean {
  return ignoreLines.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`));
}

/** The size of a folder's files, without the packages in it. */
function bytesIn(folder: string): number {
  const files = globSync('**', { cwd: folder, exclude: (name) => name === 'node_modules' });
  const found = files.map((name) => statSync(join(folder, name), { throwIfNoEntry: false }));
  return found.reduce((sum, each) => sum + (each?.isFile() ? each.size : 0), 0);
}
