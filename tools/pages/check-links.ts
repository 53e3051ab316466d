import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { listed, loadCommand } from '../../src/cli/commands/index.ts';
import { programFor } from '../../src/cli/program.ts';
import { projectRoot } from '../../src/environment/project-root.ts';
import { textsOf } from '../sources.ts';

const scriptNames = Object.keys(
  (JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { scripts: object }).scripts,
);

/** The top-level folders. Every path in a page that begins with one of these must exist. */
const ownFolders = readdirSync(projectRoot, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['node_modules', 'results', 'dist', '.sextant'].includes(entry.name))
  .map(({ name }) => `${name}/`);

const commandsByName: ReadonlyMap<string, Command> = new Map(
  await Promise.all(Object.keys(listed).map(async (name) => [name, (await loadCommand(name)) as Command] as const)),
);

/** Complaints about references to things that don't exist, in every page. */
export async function linkComplaints(): Promise<string[]> {
  return [
    ...[...textsOf('**/*.md')].flatMap(([page, text]) => complaintsOf(page, text)),
    ...(await commandComplaints()),
  ];
}

/** Complaints about commands in a page's code blocks that the program refuses. Each command is only parsed, not carried out. */
async function commandComplaints(): Promise<string[]> {
  const found: string[] = [];
  for (const [page, text] of textsOf('**/*.md'))
    for (const [code] of text.matchAll(/^```sh$.*?^```$/gms))
      for (const line of code.split('\n')) {
        const complaint = await refusalOf(line);
        if (complaint) found.push(`${page}: ${line.trim()}: ${complaint}`);
      }
  return found;
}

export async function refusalOf(line: string): Promise<string | undefined> {
  const [, typed] = /^\s*npx (?:--no )?sextant ((?:'[^']*'|"[^"]*"|[^#'"&|;>])*)/.exec(line) ?? [];
  if (typed === undefined) return undefined;
  const words = typed.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)?.map((word) => word.replaceAll(/['"]/g, '')) ?? [];
  const program = await programFor(words);
  for (const each of program.commands.flatMap((command) => [command, ...command.commands]))
    each.action(() => {}).configureOutput({ writeErr: () => {} });
  try {
    await program.parseAsync(words, { from: 'user' });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Complaints about nonexistent commands, options, npm scripts and paths in a page. */
export function complaintsOf(page: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = [
      ...commandsIn(line).flatMap((words) => wrongCommand(words)),
      ...strangers(page, line),
      ...wrongPaths(page, line),
    ];
    return found.map((complaint) => `${page}:${index + 1}: ${complaint}`);
  });
}

function commandsIn(line: string): string[][] {
  const calls = line.matchAll(/(?:npx (?:--no )?)?\bsextant ((?:[a-z]+|--[\w-]+)(?:[ \t]+[^\s`|&;#)]+)*)/g);
  return [...calls].filter(([whole]) => whole.startsWith('npx ')).map(([, words = '']) => words.trim().split(/\s+/));
}

/**
 * Complaints about a line with which npx may fetch another project's package of the same name, such as the `sextant` in the public
 * registry. npx does so if no such package is installed. That is possible in a recipe, and for the command `init`; before any other command
 * on a page, the reader has run `npm ci`.
 */
function strangers(page: string, line: string): string[] {
  const isRecipe = !page.endsWith('.md') || page.startsWith('docs/ci/');
  const calls = [...line.matchAll(/\bnpx (?:--yes )?([\w.@=/-]+)(?: (\w+))?/g)].map(([call, ...words]) => ({
    call,
    words,
  }));
  return calls.flatMap(({ call, words: [first = '', second] }) => {
    if (first === '--no' || first.startsWith('--package=./')) return [];
    if (isRecipe) return [`\`${call}\` may fetch a stranger's package; write \`npx --no …\``];
    const isInstalled = ['sextant', 'sextant-node', 'playwright'].includes(first) && second !== 'init';
    return isInstalled ? [] : [`\`${call}\` fetches a stranger's package; write \`npx --package=./FILE.tgz …\``];
  });
}

function wrongCommand([name = '', ...rest]: string[]): string[] {
  if (name.startsWith('--')) return [];
  const command = commandsByName.get(name);
  if (!command) return [`unknown command \`sextant ${name}\``];
  const sub = command.commands.find((candidate) => candidate.name() === rest[0]);
  const options = [...command.options, ...(sub?.options ?? [])].flatMap(({ long, short }) => [long, short]);
  // Options after `--` are for another program.
  const own = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : undefined);
  const given = own.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0]?.replace(/[\],.…]+$/, ''));
  return given
    .filter((option) => option !== '--help' && !options.includes(option))
    .map((option) => `\`sextant ${name}\` has no option ${option}`);
}

function wrongPaths(page: string, line: string): string[] {
  const found = (pattern: RegExp) => [...line.matchAll(pattern)].map(([, name = '']) => name);
  const links = found(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g).filter((target) => !/^[a-z]+:/.test(target));
  const paths = found(/`([\w.-]+\/[\w./-]*)`/g).filter(
    (path) => ownFolders.some((folder) => path.startsWith(folder)) && !path.endsWith('.secret.env'),
  );
  const scripts = found(/npm run ([\w:-]+)/g);
  return [
    ...links.filter((to) => !existsSync(resolve(projectRoot, dirname(page), to))).map((to) => `broken link ${to}`),
    ...paths.filter((path) => !existsSync(join(projectRoot, path))).map((path) => `${path} does not exist`),
    ...scripts.filter((name) => !scriptNames.includes(name)).map((name) => `unknown npm script ${name}`),
  ];
}
