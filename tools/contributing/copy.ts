import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, writeChanges } from '../../src/cli/skeletons/insert.ts';
import { projectRoot } from '../../src/config/project-root.ts';
import { ownFolder } from '../../src/testing/own-folder.ts';
import { plainEnvironment, runToEnd } from '../../src/testing/programs/child.ts';

/** Below the project as below its copy: what is compiled of the one needn't be compiled again for the other. */
const COMPILED = join('node_modules', '.cache', 'tests');

/** Gives a folder the packages of the project, by links. What checks remember of the project is not true of it. */
function linkPackages(folder: string): void {
  mkdirSync(join(projectRoot, COMPILED), { recursive: true });
  mkdirSync(join(folder, COMPILED, '..'), { recursive: true });
  const names = readdirSync(join(projectRoot, 'node_modules')).filter((name) => name !== '.cache');
  for (const path of [COMPILED, ...names.map((name) => join('node_modules', name))])
    symlinkSync(join(projectRoot, path), join(folder, path), 'junction');
}

/** A copy of the project in a folder that goes with the tests, for changes. */
export class Copy {
  readonly folder = ownFolder();

  constructor() {
    const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const files = execFileSync('git', list, { cwd: projectRoot, encoding: 'utf8' }).split('\0').filter(Boolean);
    for (const file of files.filter((each) => existsSync(join(projectRoot, each))))
      cpSync(join(projectRoot, file), join(this.folder, file));
    linkPackages(this.folder);
    // The linter needs git to find ignored files.
    this.#git('init', '--quiet');
  }

  /** Remembers every file as it is, and returns what puts them back. */
  remember(): () => void {
    this.#git('add', '--all');
    const tree = this.#git('write-tree').trim();
    return () => {
      this.#git('read-tree', tree);
      this.#git('checkout-index', '--all', '--force');
      this.#git('clean', '-dfq');
    };
  }

  apply(changes: readonly Change[]): void {
    writeChanges(changes, this.folder);
  }

  /** Runs a script of the project with this Node. */
  node(...args: string[]) {
    return this.#run(process.execPath, args);
  }

  types(project: string) {
    // Several checkers work out the same types, each for itself.
    return this.#run(join(projectRoot, 'node_modules', '.bin', 'tsc'), ['-p', project, '--checkers', '1']);
  }

  /** Runs the tests of files whose titles match a pattern, in one process. */
  tests(titles: string, ...files: readonly string[]) {
    return this.node('--test', '--test-isolation=none', `--test-name-pattern=${titles}`, ...files);
  }

  /** Does for some files what `npm run format` does for all, which takes seconds. */
  format(files: readonly string[]) {
    const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    const [, args = ''] = / && biome (.*) \.$/.exec(scripts.format) ?? [];
    return this.#run(join(projectRoot, 'node_modules', '.bin', 'biome'), [...args.split(' '), ...files]);
  }

  /** Runs a script of package.json, as `npm run` takes it: `pages`, or `drill:matrix -- --missing`. */
  script(script: string) {
    return this.node('--run', ...script.split(' '));
  }

  #git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.folder, encoding: 'utf8' });
  }

  #run(command: string, args: readonly string[]) {
    const NODE_COMPILE_CACHE = join(this.folder, COMPILED);
    const env = { ...plainEnvironment(), NODE_COMPILE_CACHE, NODE_COMPILE_CACHE_PORTABLE: '1' };
    const { status, output } = runToEnd(command, args, { cwd: this.folder, env });
    return { ok: status === 0, status, output };
  }
}
