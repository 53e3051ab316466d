import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import { runtimePackages } from '../lockfile.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

/**
 * Carries out the steps of deploy/Dockerfile in a folder, where no image can be built: each COPY of the last stage, with what
 * .dockerignore keeps out, and instead of `npm ci` links to the packages that it would install. The root then can't be written.
 */
export function buildInFolder(folder: string, volume: string) {
  // An instruction a line.
  const instructions = read('deploy/Dockerfile').replace(/^\s*#.*\n|\\\n\s*/gm, '');
  const [, first = '', last = ''] = instructions.split(/^FROM .*\n/m);
  if (!/^RUN npm ci --omit=dev /m.test(first)) throw new Error('the first stage installs something else');
  const app = join(folder, 'app');
  const textsOf = (name: string) => [...last.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, text = '']) => text);
  // What comes from the first stage is linked.
  for (const text of textsOf('COPY')) if (!text.startsWith('--from=')) copy(text.split(' '), app);
  const packages = runtimePackages();
  for (const path of packages.filter((each) => each.lastIndexOf('node_modules/') === 0)) {
    mkdirSync(dirname(join(app, path)), { recursive: true });
    symlinkSync(join(projectRoot, path), join(app, path), 'junction');
  }
  symlinkSync('../src/cli/launcher', join(app, 'node_modules', 'sextant-launcher'));
  mkdirSync(volume, { recursive: true });
  execFileSync('chmod', ['-R', 'a-w', app]);
  const at = (text: string) => text.replace(/^\/data/, volume).replace(/^\/app/, app);
  return {
    app,
    packages,
    /** Of a million bytes each. */
    megabytes: [app, ...packages.map((path) => join(projectRoot, path))].map(bytesIn).reduce((a, b) => a + b) / 1e6,
    /** With names of arguments in the place of their values. */
    labels: pairsIn(textsOf('LABEL')),
    /** Its variables, with the volume in the place of `/data`. */
    env: Object.fromEntries(pairsIn(textsOf('ENV')).map(([name, value]) => [name, at(value)])),
    user: textsOf('USER').at(-1) ?? 'root',
    entrypoint: (JSON.parse(textsOf('ENTRYPOINT').at(-1) ?? '[]') as string[]).map(at),
  };
}

/** The names and values of ENV or LABEL instructions. */
function pairsIn(texts: readonly string[]): [name: string, value: string][] {
  const pairs = texts.flatMap((text) => [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)]);
  return pairs.map(([, name = '', quoted, plain = '']) => [name, quoted ?? plain]);
}

function copy(words: readonly string[], app: string): void {
  const to = words.at(-1) ?? '.';
  const filter = (path: string) => !isIgnored(relative(projectRoot, path));
  for (const from of words.slice(0, -1))
    cpSync(join(projectRoot, from), join(app, to, to.endsWith('/') ? from : ''), { recursive: true, filter });
}

const ignoreLines = read('.dockerignore')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('#'));

/** Whether .dockerignore keeps a path out of the build: the last line that fits it decides, as Docker reads it. */
export function isIgnored(path: string): boolean {
  const last = ignoreLines.findLast((line) => {
    const pattern = line.replace(/^!/, '');
    return matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`);
  });
  return last !== undefined && !last.startsWith('!');
}

/** The size of a folder's files, without the packages in it. */
function bytesIn(folder: string): number {
  const files = globSync('**', { cwd: folder, exclude: (name) => name === 'node_modules' });
  const found = files.map((name) => statSync(join(folder, name), { throwIfNoEntry: false }));
  return found.reduce((sum, each) => sum + (each?.isFile() ? each.size : 0), 0);
}
