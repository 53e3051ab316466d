import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter';
import { projectRoot } from '../../environment/project-root.ts';
import { RESULT_TYPE, type ResultDocument } from '../../run/index.ts';
import { ownFolder, writeFiles } from '../own-folder.ts';
import { startProgram } from './run-command.ts';

const require = createRequire(import.meta.url);

export interface InlineSuite {
  /** Sources of specs by file name; they import the fixtures from `./sextant.ts`. */
  readonly specs: Readonly<Record<string, string>>;
  /** Texts of environment files by name (see `environmentText`). */
  readonly environments: Readonly<Record<string, string>>;
  /** Texts of other files. */
  readonly files?: Readonly<Record<string, string>>;
  /** Additional process environment: a seed, secrets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Additional arguments of `playwright test`. */
  readonly args?: readonly string[];
}

export type InlineTest = ReturnType<typeof testsOf>[number];

const from = (file: string) => JSON.stringify(join(projectRoot, file));

const CONFIG = `import base from ${from('playwright.config.ts')};
export default {
  ...base,
  testDir: import.meta.dirname,
  reporter: [...base.reporter, ['json', { outputFile: import.meta.dirname + '/output/results.json' }]],
};
`;

/** Runs specs in a child Playwright Test, with the suite's configuration, fixtures and reporters. */
export async function runInline({ specs, environments, files = {}, env = {}, args = [] }: InlineSuite) {
  const folder = writeFiles(ownFolder(), {
    'package.json': { type: 'module' },
    'sextant.ts': `export * from ${from('fixtures/index.ts')};\n`,
    'playwright.config.ts': CONFIG,
    ...Object.fromEntries(Object.entries(environments).map(([name, text]) => [`environments/${name}.env`, text])),
    ...specs,
    ...files,
  });
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const output = join(folder, 'output');
  const childEnv = {
    ...clean(process.env),
    NO_COLOR: '1',
    SEXTANT_ENVIRONMENTS: join(folder, 'environments'),
    SEXTANT_OUTPUT: output,
    ...env,
  };
  const command = [require.resolve('@playwright/test/cli'), 'test', '-c', folder, ...args];
  const { said, ended } = startProgram(process.execPath, command, { cwd: projectRoot, env: childEnv });
  return {
    /** The process environment of the run, for tests that work with its files. */
    env: childEnv,
    code: await ended,
    console: said(),
    tests: testsOf(join(output, 'results.json')),
    /** The temporary folder with the specs, `environments`, and the run's files in `output`. */
    folder,
    output,
  };
}

/** The process environment without variables of an outer test runner. */
function clean(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const foreign = /^(NODE_TEST_CONTEXT|NODE_OPTIONS|FORCE_COLOR|CI|GITHUB_.*|TEST_.*|PW_.*|PLAYWRIGHT_.*|SEXTANT_.*)$/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)));
}

function testsOf(file: string) {
  const { suites } = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { suites: [] }) as JSONReport;
  return suites.flatMap(specsOf).flatMap((spec) =>
    spec.tests.map(({ projectName, annotations, results, status: outcome }) => {
      const result = results.at(-1);
      const skip = annotations.find(({ type }) => type === 'skip');
      const attached = result?.attachments.find(({ contentType }) => contentType === RESULT_TYPE);
      const document = attached?.body
        ? (JSON.parse(Buffer.from(attached.body, 'base64').toString()) as ResultDocument)
        : undefined;
      const line = result?.errorLocation?.line;
      return {
        title: spec.title,
        project: projectName,
        status: result?.status ?? ('none' as const),
        /** The outcome after all attempts; `unexpected` fails the run. */
        outcome,
        /** Messages from the JSON report, without colours. */
        errors: (result?.errors ?? []).map(({ message = '' }) => message),
        /** The line of the spec that the first error points at. */
        ...(line === undefined ? {} : { line }),
        ...(skip?.description === undefined ? {} : { skipReason: skip.description }),
        ...(document ? { document, category: document.category } : {}),
      };
    }),
  );
}

function specsOf(suite: JSONReportSuite): JSONReportSuite['specs'] {
  return [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];
}

/** A result that allure-playwright wrote, with the URLs of the requests in its attachments (`urls`). */
interface ResultFile {
  readonly name: string;
  readonly status: string;
  readonly historyId: string;
  readonly labels: readonly { readonly name: string; readonly value: string }[];
  readonly urls: readonly string[];
}

export function allureResults(folder: string): ResultFile[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('-result.json'));
  return files.map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const exchanges = text.match(/[\w-]+\.httpexchange/g) ?? [];
    const urls = exchanges.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).request.url as string);
    return { ...(JSON.parse(text) as Omit<ResultFile, 'urls'>), urls };
  });
}
