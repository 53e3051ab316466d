import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { projectRoot } from '../../environment/project-root.ts';
import { type Files, writeFiles } from '../own-folder.ts';
import { plainEnvironment } from './child.ts';
import { startProgram } from './run-command.ts';

const copied = [
  'src',
  'fixtures',
  'schemas',
  'reference-service',
  'package.json',
  'playwright.config.ts',
  'allurerc.ts',
];

/** Copies the program into a folder, with `specs` as its only specs, so that a test can run commands on them. */
export function ownCheckout(folder: string, specs: Files, env: Readonly<Record<string, string>>) {
  const isCopied = (file: string) => !file.endsWith('.test.ts');
  for (const name of copied) cpSync(join(projectRoot, name), join(folder, name), { recursive: true, filter: isCopied });
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFiles(join(folder, 'tests'), specs);
  const program = join(folder, 'src/cli/launcher/sextant.js');
  const options = { cwd: folder, env: { ...plainEnvironment(), ...env } };
  const start = (...args: string[]) => startProgram(process.execPath, [program, ...args], options);
  return {
    start,
    /** Runs a command to its end; returns its streams separately. */
    run: async (...args: string[]) => {
      const { child, ended } = start(...args);
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { status: await ended, stdout, stderr };
    },
  };
}
