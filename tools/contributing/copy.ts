import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, writeChanges } from '../../src/cli/skeletons/insert.ts';
import { projectRoot } from '../../src/config/project-root.ts';
import { ownFolder } from '../../src/testing/own-folder.ts';
import { plainEnvironment, runToEnd } from '../../src/testing/programs/child.ts';

/** A copy of the project in a folder that goes with the tests, for changes. */
export class Copy {
  readonly folder = ownFolder();

  constructor() {
    const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const files = execFileSync('git', list, { cwd: projectRoot, encoding: 'utf8' }).split('\0').filter(Boolean);
    for (const file of files.filter((each) => existsSync(join(projectRoot, each))))
      cpSync(join(projectRoot, file), join(this.folder, file));
    symlinkSync(join(projectRoot, 'node_modules'), join(this.folder, 'node_modules'), 'junction');
    // The linter needs git to find ignored files.
    this.#git('init', '--quiet');
  }

  /** Remembers every file as it is, and returns what puts them back. */
  remember(): () => void {
    this.#git('add', '--all');
    return () => {
      this.#git('checkout-index', '--all', '--force');
      this.#git('clean', '-dfq');
    };
  }

  apply(changes: readonly Change[]): void {
    writeChanges(changes, this.folder);
  }

  /** Runs a script of the project, or `--test` with tests, with this Node. */
  node(...args: string[]) {
    return this.#run(process.execPath, args);
  }

  types(project: string) {
    // Several checkers work out the same types, each for itself.
    return this.#run(join(projectRoot, 'node_modules', '.bin', 'tsc'), ['-p', project, '--checkers', '1']);
  }

  /** Runs a script, as `npm run` takes it: `pages`, or `drill:matrix -- --missing`. */
  npmRun(script: string) {
    return this.#run('npm', ['run', '--silent', ...script.split(' ')]);
  }

  #git(...args: readonly string[]): void {
    execFileSync('git', args, { cwd: this.folder });
  }

  #run(command: string, args: readonly string[]) {
    // What is compiled of the project needn't be compiled again for its copy, which has it at the same place below the cache.
    const NODE_COMPILE_CACHE = join(this.folder, 'node_modules', '.cache', 'tests');
    const env = { ...plainEnvironment(), NODE_COMPILE_CACHE, NODE_COMPILE_CACHE_PORTABLE: '1' };
    const { status, output } = runToEnd(command, args, { cwd: this.folder, env });
    return { ok: status === 0, status, output };
  }
}
