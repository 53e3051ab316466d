import { dirname, join, relative, resolve, sep } from 'node:path';
import { Command } from 'commander';
import { fileRoles, isThere, readText, readTextIfAny, replaceText } from '../../environment/files/index.ts';
import { assertEnvironmentName, ConfigurationError, secretVariable } from '../../environment/index.ts';
import { isPackage, projectRoot } from '../../environment/project-root.ts';
import { parsedJson } from '../../http/index.ts';
import { redact } from '../../redaction/index.ts';
import { say } from '../output/terminal.ts';

const { project: role } = fileRoles;

/** `sextant init`: copies a small project for a team that uses the package and has no checkout. */
export function init(): Command {
  return new Command('init')
    .argument('[folder]', 'where to', '.')
    .option('--env <name>', 'name of its environment', 'staging')
    .option('--package <file>', 'the package’s file, for its package.json (default: where this program came from)')
    .action((folder: string, { env, package: file }: { env: string; package?: string }) => {
      assertEnvironmentName(env);
      const written = copyProject(resolve(folder), env, dependency(resolve(folder), file));
      const next = [
        resolve(folder) === process.cwd() ? 'npm install' : `cd ${folder} && npm install`,
        'npx --no sextant test                # on the embedded service, so that you see what it does',
        `fill in environments/${env}.env, and set ${secretVariable(env, 'ACCESS_TOKEN')} and ${secretVariable(env, 'API_KEY')}`,
        `npx --no sextant doctor --env ${env}`,
      ];
      say([...written.map((name) => `wrote ${name}`), '', 'Next:', ...next.map((line) => `- ${line}`)].join('\n'));
    });
}

const templates = join(projectRoot, 'src', 'cli', 'templates', 'project');
const copied = ['tests/scenarios/first.spec.ts', '.github/workflows/sextant.yml', 'tsconfig.json'];
const IGNORED = ['node_modules/', 'results/', '.sextant/', 'monitor-data/', 'monitor.env', 'environments/*.secret.env'];

/** Copies everything or nothing; returns the files. @throws ConfigurationError with all that is in the way */
function copyProject(root: string, env: string, sextant: string): string[] {
  const named = (text: string) =>
    text.replaceAll('STAGING_', secretVariable(env, 'API_KEY').replace('API_KEY', '')).replaceAll('staging', env);
  const example = readText(join(projectRoot, 'environments', 'example.env.template'), fileRoles.environment);
  const texts = new Map([[`environments/${env}.env`, named(example.slice(example.indexOf('# Secrets')))]]);
  for (const file of copied) texts.set(file, named(readText(join(templates, `${file}.template`), role)));
  const taken = [...texts.keys()].filter((file) => isThere(join(root, file), role));
  if (taken.length > 0)
    throw new ConfigurationError(
      taken.map((file) => `${file} exists already. Name another folder: sextant init FOLDER.`).join('\n'),
    );
  texts.set('package.json', packageJson(readTextIfAny(join(root, 'package.json'), role), sextant));
  const ignored = (readTextIfAny(join(root, '.gitignore'), role) ?? '').replace(/(?<=.)\n?$/s, '\n');
  const added = IGNORED.filter((line) => !ignored.split(/\r?\n/).includes(line)).map((line) => `${line}\n`);
  texts.set('.gitignore', ignored + added.join(''));
  for (const [file, text] of texts) replaceText(join(root, file), redact(text), role);
  return [...texts.keys()];
}

/** @throws ConfigurationError for a package.json that is no JSON, or whose files are CommonJS. */
function packageJson(text = '{"private": true}', sextant: string): string {
  const found = parsedJson(text) as { type?: string; scripts?: object; devDependencies?: object } | undefined;
  if (!found || (found.type ?? 'module') !== 'module')
    throw new ConfigurationError(
      'package.json must be JSON, and have no other type than "module": specs are modules. Correct it first.',
    );
  const devDependencies = /"sextant":/.test(text) ? found.devDependencies : { ...found.devDependencies, sextant };
  const scripts = { test: 'sextant test', ...found.scripts };
  return `${JSON.stringify({ ...found, type: 'module', scripts, devDependencies }, null, 2)}\n`;
}

/**
 * What npm installs Sextant from, under the name that specs import: the file that it came from, else the registry's package, which has
 * a name of its own.
 */
function dependency(root: string, named: string | undefined): string {
  const file = named === undefined ? installedFrom() : resolve(named);
  if (file === undefined && isPackage) {
    const { name, version } = JSON.parse(readText(join(projectRoot, 'package.json'), role));
    return `npm:${name}@${version}`;
  }
  if (file !== undefined && isThere(file, role)) return `file:${relative(root, file).replaceAll(sep, '/')}`;
  throw new ConfigurationError(
    file === undefined
      ? 'A checkout is no package. Make one with `npm pack`, and name its file: sextant init FOLDER --package FILE.'
      : `${file}, which Sextant would be installed from, is gone. Name it: --package FILE.`,
  );
}

/** The tarball that npm installed this program from; its own lockfile of what is installed says so. */
function installedFrom(): string | undefined {
  const own = dirname(projectRoot);
  const at = own.lastIndexOf(`${sep}node_modules${sep}`);
  const folder = own.slice(0, Math.max(at, 0));
  const lock = at < 0 ? undefined : readTextIfAny(join(folder, 'node_modules', '.package-lock.json'), role);
  const { packages = {} } = JSON.parse(lock ?? '{}') as { packages?: Record<string, { resolved?: string }> };
  const { resolved = '' } = packages[relative(folder, own).replaceAll(sep, '/')] ?? {};
  return resolved.startsWith('file:') ? resolve(folder, resolved.slice('file:'.length)) : undefined;
}
