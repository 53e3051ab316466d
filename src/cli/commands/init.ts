import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { Command, Option } from 'commander';
import {
  fileRoles,
  isThere,
  readBytes,
  readText,
  readTextIfAny,
  replaceFile,
  replaceText,
} from '../../environment/files/index.ts';
import { assertEnvironmentName, ConfigurationError, listed, secretVariable, shown } from '../../environment/index.ts';
import { isPackage, projectRoot } from '../../environment/project-root.ts';
import { parsedJson } from '../../http/index.ts';
import { redact, redactBytes } from '../../redaction/index.ts';
import { say } from '../output/terminal.ts';

const { project: role } = fileRoles;

/** `sextant init`: creates a small project for a team that uses the package and has no checkout. */
export function init(): Command {
  return new Command('init')
    .argument('[folder]', 'where to, also in the repository of a service', '.')
    .option('--env <name>', 'name of its environment', 'staging')
    .addOption(new Option('--ci <system>', 'whose pipeline it gets').choices(Object.keys(pipelines)).default('github'))
    .option('--package <file>', 'the package’s file, for its package.json (default: where this program came from)')
    .action((folder: string, { env, ci, package: file }: InitOptions) => {
      assertEnvironmentName(env);
      const root = resolve(folder);
      const { files, secrets } = pipelines[ci];
      const written = copyProject(root, env, files, tarballOf(file));
      const next = [
        root === process.cwd() ? 'npm install' : `cd ${folder} && npm install`,
        'npx --no sextant test                # on the embedded service, so that you see what it does',
        `npx --no sextant environments new ${env}  # asks for addresses, users and tokens, and tries them`,
        `commit all of it, and give the pipeline its secrets: ${secrets(env)}`,
      ];
      say([...written.map((name) => `wrote ${name}`), '', 'Next:', ...next.map((line) => `- ${line}`)].join('\n'));
    });
}

interface InitOptions {
  readonly env: string;
  readonly ci: keyof typeof pipelines;
  readonly package?: string;
}

const templates = join(projectRoot, 'src', 'cli', 'templates', 'project');
const copied = ['tests/scenarios/first.spec.ts', 'tsconfig.json'];
const IGNORED = [
  'node_modules/',
  'results/',
  '.sextant/',
  'monitor-data/',
  'monitor.env',
  'environments/*.secret.env',
  '!vendor/*.tgz',
];

/** The files of each pipeline, and a sentence on where its secrets are stored. */
const pipelines = {
  github: {
    files: ['.github/workflows/sextant.yml', '.github/actions/sextant/action.yml'],
    secrets: (env: string) => `ACCESS_TOKEN, API_KEY and FRIEND_ACCESS_TOKEN in the GitHub environment ${env}`,
  },
  gitlab: {
    files: ['.gitlab-ci.yml'],
    secrets: (env: string) =>
      `masked variables ${listed(
        (['ACCESS_TOKEN', 'API_KEY', 'FRIEND_ACCESS_TOKEN'] as const).map((key) => secretVariable(env, key)),
        'and',
      )}`,
  },
};

/**
 * Copies all files or none, and returns their paths.
 * @throws ConfigurationError with every file that exists already, or if package.json can't be used
 */
function copyProject(root: string, env: string, pipeline: readonly string[], tarball: string | undefined): string[] {
  const repository = repositoryOf(root);
  const folder = relative(repository, root).replaceAll(sep, '/') || '.';
  const texts = new Map<string, string>();
  for (const file of [...copied, ...pipeline]) {
    const source = file.endsWith('action.yml') ? join(projectRoot, 'action.yml') : join(templates, `${file}.template`);
    const text = readText(source, role)
      .replaceAll('STAGING_', secretVariable(env, 'API_KEY').replace('API_KEY', ''))
      .replaceAll('staging', env)
      .replace(/(?<=^ +folder: )\.$/im, folder);
    // GitHub reads workflows and actions only at the root of the repository.
    texts.set(join(file.startsWith('.github') ? repository : root, file), text);
  }
  const taken = [...texts.keys()].filter((path) => isThere(path, role));
  if (taken.length > 0)
    throw new ConfigurationError(
      taken
        .map((path) => `${shown(path)} exists already. Remove it, or name another folder: sextant init FOLDER.`)
        .join('\n'),
    );
  const vendored = tarball && join('vendor', basename(tarball));
  const sextant = vendored ? `file:${vendored.replaceAll(sep, '/')}` : fromRegistry();
  texts.set(join(root, 'package.json'), packageJson(readTextIfAny(join(root, 'package.json'), role), sextant));
  const ignored = (readTextIfAny(join(root, '.gitignore'), role) ?? '').replace(/(?<=.)\n?$/s, '\n');
  const added = IGNORED.filter((line) => !ignored.split(/\r?\n/).includes(line)).map((line) => `${line}\n`);
  texts.set(join(root, '.gitignore'), ignored + added.join(''));
  for (const [path, text] of texts) replaceText(path, redact(text), role);
  // Copies the package's tarball into the project, because a pipeline can install it only from the repository.
  if (tarball && vendored) replaceFile(join(root, vendored), redactBytes(readBytes(tarball, role)), role);
  return [...texts.keys(), ...(vendored ? [join(root, vendored)] : [])].map((path) => relative(root, path));
}

/** The root of the repository that contains a folder; the folder itself if it is in none. */
function repositoryOf(root: string): string {
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder))
    if (isThere(join(folder, '.git'), role)) return folder;
  return root;
}

/**
 * The content of package.json, with Sextant and a test script added.
 * @throws ConfigurationError if it is no JSON, or its modules are CommonJS
 */
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

/** The dependency on the registry's package. Its name there differs from the name that specs import, so it is an npm alias. */
function fromRegistry(): string {
  const { name, version } = JSON.parse(readText(join(projectRoot, 'package.json'), role));
  return `npm:${name}@${version}`;
}

/**
 * The package's tarball: the named one, or the one that this program was installed from; `undefined` if it came from a registry.
 * @throws ConfigurationError if there is no such file
 */
function tarballOf(named: string | undefined): string | undefined {
  const file = named === undefined ? installedFrom() : resolve(named);
  if (file === undefined && isPackage) return undefined;
  if (file !== undefined && isThere(file, role)) return file;
  throw new ConfigurationError(
    file === undefined
      ? 'This is a checkout, and a project needs a package. Make one with `npm pack`, and name its file: sextant init FOLDER --package FILE.'
      : `The project would install Sextant from ${file}, which no longer exists. Name another file: --package FILE.`,
  );
}

/** The tarball from which npm installed this program, according to npm's lockfile in node_modules; `undefined` if there is none. */
function installedFrom(): string | undefined {
  const own = dirname(projectRoot);
  const at = own.lastIndexOf(`${sep}node_modules${sep}`);
  const folder = own.slice(0, Math.max(at, 0));
  const lock = at < 0 ? undefined : readTextIfAny(join(folder, 'node_modules', '.package-lock.json'), role);
  const { packages = {} } = JSON.parse(lock ?? '{}') as { packages?: Record<string, { resolved?: string }> };
  const { resolved = '' } = packages[relative(folder, own).replaceAll(sep, '/')] ?? {};
  return resolved.startsWith('file:') ? resolve(folder, resolved.slice('file:'.length)) : undefined;
}
