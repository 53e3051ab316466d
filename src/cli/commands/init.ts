import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { userAgent } from '../../client/http/correlation-headers.ts';
import { fileRoles, readText } from '../../config/files/index.ts';
import { assertEnvironmentName, ConfigurationError, secretVariable } from '../../config/index.ts';
import { isPackage, projectRoot } from '../../config/project-root.ts';
import { exampleCalls } from '../../spec/index.ts';
import { type Change, newFile, writeSkeleton } from '../skeletons/insert.ts';

/** `sextant init`: a project of a team that uses the package, and has no checkout. */
export function init(): Command {
  return new Command('init')
    .argument('[folder]', 'where to', '.')
    .option('--env <name>', 'name of its environment', 'staging')
    .action((folder: string, { env }: { readonly env: string }) => {
      assertEnvironmentName(env);
      const root = resolve(folder);
      if (!isPackage && root === projectRoot)
        throw new ConfigurationError(
          'This is a checkout of Sextant, which has all of it. Name another folder: sextant init FOLDER.',
        );
      const there = root === process.cwd() ? [] : [`cd ${folder}`];
      writeSkeleton({ changes: projectFiles(env), next: [...there, ...next(env)] }, root);
    });
}

const next = (environment: string) => [
  'npm install',
  'npx sextant test                # on the embedded service, so that you see what it does',
  `fill in environments/${environment}.env, and set ${secretVariable(environment, 'ACCESS_TOKEN')} and ${secretVariable(environment, 'API_KEY')}`,
  `npx sextant doctor --env ${environment}`,
  'npx sextant new scenario "love two stories" --area stories --effect reversible',
];

const ours = (file: string, text: string) => newFile(file, text, 'Name another folder: sextant init FOLDER.');

/** What a project needs that uses the package with `environment`. */
function projectFiles(environment: string): readonly Change[] {
  const example = readText(join(projectRoot, 'environments', 'example.env'), fileRoles.environment);
  return [
    { file: 'package.json', make: packageJson },
    ours(
      `environments/${environment}.env`,
      example
        .slice(example.indexOf('# Secrets'))
        .replaceAll('staging', environment)
        .replaceAll('STAGING_', secretVariable(environment, 'API_KEY').replace('API_KEY', '')),
    ),
    ours('tests/scenarios/first.spec.ts', SPEC),
    ours('.github/workflows/sextant.yml', workflow(environment)),
    ours('tsconfig.json', `${JSON.stringify({ compilerOptions }, null, 2)}\n`),
    { file: '.gitignore', make: ignoring },
  ];
}

const IGNORED = ['node_modules/', 'results/', '.sextant/', 'monitor-data/', 'monitor.env', 'environments/*.secret.env'];

function ignoring(text = ''): string {
  const there = text.split(/\r?\n/);
  const added = IGNORED.filter((line) => !there.includes(line)).map((line) => `${line}\n`);
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${added.join('')}`;
}

/** @throws ConfigurationError for a package.json that is no JSON, or whose files are CommonJS. */
function packageJson(text = '{}'): string {
  const { type = 'module', scripts, devDependencies, ...rest } = parsed(text);
  if (type !== 'module')
    throw new ConfigurationError(`package.json has "type": "${type}"; specs are modules. Choose another folder.`);
  const [name = '', version] = userAgent.split('/');
  const isListed = [devDependencies, rest.dependencies].some((list) => list?.[name]);
  const own = {
    ...('name' in rest ? {} : { private: true }),
    ...rest,
    type,
    scripts: { test: 'sextant test', ...scripts },
    devDependencies: { ...devDependencies, ...(isListed ? {} : { [name]: version }) },
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

/** For editors: the types of the package; Node runs the specs as they are. */
const compilerOptions = {
  target: 'esnext',
  module: 'nodenext',
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  erasableSyntaxOnly: true,
};

const [example = ''] = exampleCalls.change.split('.');

const SPEC = `import { expect, scenario } from 'sextant';

// The title is the story; the tags are its area and the gravest effect of its calls.
scenario('first: a change is seen, and undone', { tag: ['@${example}', '@reversible'] }, async ({ ${example}, friend, defer }) => {
  await ${exampleCalls.change}.succeeds();
  defer(() => ${exampleCalls.undo}.settles());
  await ${exampleCalls.read}.eventually((list) =>
    expect(list, 'documented: the list mentions who was just named').toMention(friend.id),
  );
});
`;

function workflow(environment: string): string {
  return `name: Sextant

on:
  push:
    branches: [main]
  schedule:
    - cron: '7 * * * *'
  workflow_dispatch:

permissions:
  contents: read

# Two runs at once would act as the same users.
concurrency:
  group: sextant-${environment}

jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    environment: ${environment}
    steps:
      - uses: actions/checkout@v6
        with:
          persist-credentials: false
      - uses: actions/setup-node@v6
        with:
          node-version: 24
          cache: npm
      - run: npm ci --omit=optional
      - run: npx sextant test --env ${environment} --yes
        env:
          ${secretVariable(environment, 'ACCESS_TOKEN')}: \${{ secrets.ACCESS_TOKEN }}
          ${secretVariable(environment, 'API_KEY')}: \${{ secrets.API_KEY }}
      - name: Keep the report
        if: \${{ !cancelled() }}
        uses: actions/upload-artifact@v7
        with:
          name: report
          path: |
            results/report
            results/junit.xml
          retention-days: 14
`;
}
