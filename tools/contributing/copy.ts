import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
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

  /** Runs a script of the project with this Node. */
  node(...args: string[]) {
    const NODE_COMPILE_CACHE = join(this.folder, COMPILED);
    const env = { ...plainEnvironment(), NODE_COMPILE_CACHE, NODE_COMPILE_CACHE_PORTABLE: '1' };
    const { status, output } = runToEnd(process.execPath, args, { cwd: this.folder, env });
    return { ok: status === 0, output };
  }

  #git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.folder, encoding: 'utf8' });
  }
}
