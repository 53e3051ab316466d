import { dirname, join, relative, resolve, sep } from 'node:path';
import { Command } from 'commander';
import { redact } from '../../client/index.ts';
import { fileRoles, isThere, readText, readTextIfAny, replaceText } from '../../config/files/index.ts';
import { assertEnvironmentName, attempt, ConfigurationError, secretVariable } from '../../config/index.ts';
import { isPackage, projectRoot } from '../../config/project-root.ts';
import { say } from '../output/terminal.ts';

interface InitOptions {
  readonly env: string;
  readonly package?: string;
}

/** `sextant init`: copies a small project for a team that uses the package and has no checkout. */
export function init(): Command {
  return new Command('init')
    .argument('[folder]', 'where to', '.')
    .option('--env <name>', 'name of its environment', 'staging')
    .option(
      '--package <file>',
      'the package’s file, which its package.json names (default: where this program came from)',
    )
    .action((folder: string, { env, package: file }: InitOptions) => {
      assertEnvironmentName(env);
      const root = resolve(folder);
      if (!isPackage && root === projectRoot)
        throw new ConfigurationError(
          'This is a checkout of Sextant, which has all of it. Name another folder: sextant init FOLDER.',
        );
      const written = copyProject(root, env, dependency(root, file));
      const next = [...(root === process.cwd() ? [] : [`cd ${folder}`]), ...nextSteps(env)];
      say([...written, '', 'Next:', ...next.map((line) => `- ${line}`)].join('\n'));
    });
}

const nextSteps = (env: string) => [
  'npm install',
  'npx --no sextant test                # on the embedded service, so that you see what it does',
  `fill in environments/${env}.env, and set ${secretVariable(env, 'ACCESS_TOKEN')} and ${secretVariable(env, 'API_KEY')}`,
  `npx --no sextant doctor --env ${env}`,
  'npx --no sextant new scenario "love two stories" --area stories --effect reversible',
];

const templates = join(projectRoot, 'src', 'cli', 'templates', 'project');
const copied = ['tests/scenarios/first.spec.ts', '.github/workflows/sextant.yml', 'tsconfig.json'];
const { project: source } = fileRoles;

/** Copies everything or nothing; returns a line for each file. @throws ConfigurationError with all that is in the way */
function copyProject(root: string, env: string, sextant: string): string[] {
  const named = (text: string) =>
    text.replaceAll('STAGING_', secretVariable(env, 'API_KEY').replace('API_KEY', '')).replaceAll('staging', env);
  const example = readText(join(projectRoot, 'environments', 'example.env.template'), fileRoles.environment);
  const texts = new Map([[`environments/${env}.env`, named(example.slice(example.indexOf('# Secrets')))]]);
  for (const file of copied) texts.set(file, named(readText(join(templates, `${file}.template`), source)));
  const taken = [...texts.keys()].filter((file) => isThere(join(root, file), source));
  const problems = taken.map((file) => `${file} exists already. Name another folder: sextant init FOLDER.`);
  const merged = { 'package.json': (text?: string) => packageJson(text, sextant), '.gitignore': ignoring };
  for (const [file, make] of Object.entries(merged)) {
    const made = attempt(() => make(readTextIfAny(join(root, file), source)));
    if (made instanceof ConfigurationError) problems.push(made.message);
    else texts.set(file, made);
  }
  if (problems.length > 0) throw new ConfigurationError(problems.join('\n'));
  return [...texts].map(([file, text]) => {
    const line = `${isThere(join(root, file), source) ? 'changed' : 'wrote'} ${file}`;
    replaceText(join(root, file), redact(text), source);
    return line;
  });
}

const IGNORED = ['node_modules/', 'results/', '.sextant/', 'monitor-data/', 'monitor.env', 'environments/*.secret.env'];

function ignoring(text = ''): string {
  const present = text.split(/\r?\n/);
  const added = IGNORED.filter((line) => !present.includes(line)).map((line) => `${line}\n`);
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${added.join('')}`;
}

/** @throws ConfigurationError for a package.json that is no JSON, or whose files are CommonJS. */
function packageJson(text = '{"private": true}', sextant: string): string {
  const { type = 'module', scripts, devDependencies, ...rest } = parsed(text);
  if (type !== 'module')
    throw new ConfigurationError(`package.json has "type": "${type}"; specs are modules. Choose another folder.`);
  const isListed = [devDependencies, rest.dependencies].some((list) => list?.sextant);
  const own = {
    ...rest,
    type,
    scripts: { test: 'sextant test', ...scripts },
    devDependencies: { ...devDependencies, ...(isListed ? {} : { sextant }) },
  };
  return `${JSON.stringify(own, null, 2)}\n`;
}

interface PackageJson {
  readonly type?: string;
  readonly scripts?: object;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function parsed(text: string): PackageJson {
  try {
    return JSON.parse(text) as PackageJson;
  } catch (error) {
    throw new ConfigurationError(`package.json is not JSON: ${(error as Error).message}. Correct it first.`);
  }
}

/**
 * What npm installs Sextant from, under the name that specs import: the file that it came from, else the registry's package, which has
 * a name of its own.
 */
function dependency(root: string, named: string | undefined): string {
  const file = named === undefined ? installedFrom() : resolve(named);
  if (file !== undefined) {
    if (isThere(file, source)) return `file:${relative(root, file).replaceAll(sep, '/')}`;
    throw new ConfigurationError(`${file}, which Sextant would be installed from, is gone. Name it: --package FILE.`);
  }
  if (!isPackage)
    throw new ConfigurationError(
      'A checkout is no package. Make one with `npm pack`, and name its file: sextant init FOLDER --package FILE.',
    );
  const { name, version } = JSON.parse(readText(join(projectRoot, 'package.json'), source));
  return `npm:${name}@${version}`;
}

/** The tarball that npm installed this program from; its own lockfile of what is installed says so. */
function installedFrom(): string | undefined {
  const own = dirname(projectRoot);
  const at = own.lastIndexOf(`${sep}node_modules${sep}`);
  const folder = own.slice(0, Math.max(at, 0));
  const lock = at < 0 ? undefined : readTextIfAny(join(folder, 'node_modules', '.package-lock.json'), source);
  const { packages = {} } = JSON.parse(lock ?? '{}') as { packages?: Record<string, { resolved?: string }> };
  const { resolved = '' } = packages[relative(folder, own).replaceAll(sep, '/')] ?? {};
  return resolved.startsWith('file:') ? resolve(folder, resolved.slice('file:'.length)) : undefined;
}
