import { relative } from 'node:path';
import { type Verdict, verdicts } from '../../client/index.ts';
import { readText } from '../../config/files/index.ts';
import { counted } from '../../config/index.ts';
import { workFolder } from '../../config/project-root.ts';
import {
  causeAnnotation,
  causesMarkdown,
  closingMarkdown,
  type JunitCase,
  lineOfTitle,
  requestsText,
  runMarkdown,
  summarise,
  summaryMarkdown,
} from '../../reporting/index.ts';
import { type Cause, commitOf } from '../../scenario/index.ts';
import type { Checked } from './json-document.ts';

/** The page of a check, in Markdown: what it failed for, a table by area, and the likely causes. */
export function checkPage(all: readonly Checked[], seed: string, likely: readonly string[]): string {
  const results = all.flatMap(({ results: each }) => each);
  const requests = results.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  const environments = all.map(({ environment }) => environment);
  const title = `Check of ${environments.length === 1 ? environments[0] : counted(all.length, 'environment')}`;
  const facts = runMarkdown({ environments, commit: commitOf() ?? null, seed }, process.env);
  const failed = all.flatMap(({ causes: each }) => each);
  const causes = causesMarkdown(failed, (example) => textOf(all, example));
  const summary = summarise(results.map((result) => ({ ...result, outcome: outcomeOf(result.verdict) })));
  const page = summaryMarkdown(summary, { title, facts: `${facts} · ${requestsText(requests)}`, causes });
  return `${page}${closingMarkdown(likely, undefined)}`;
}

/** GitHub's annotations: one for each cause, at the line of the spec that shows it best. */
export function annotationsOf(all: readonly Checked[]): string[] {
  return all.flatMap(({ results, causes }) =>
    causes.flatMap((cause) => {
      const { title } = cause.example;
      const file = results.find((result) => result.title === title)?.file;
      if (file === undefined) return [];
      const line = lineOfTitle(readText(file, { what: 'a spec' }), title);
      return causeAnnotation(cause, { file: relative(workFolder, file), line }, textOf(all, cause.example));
    }),
  );
}

function textOf(all: readonly Checked[], { environment, title }: Cause['example']): string {
  const checked = all.find((each) => each.environment === environment);
  const { verdict, reason, curl } = checked?.results.find((result) => result.title === title) ?? {};
  return [`${verdict}: ${reason}`, ...(curl ? [curl] : [])].join('\n');
}

/** The results of a check in JUnit's terms. */
export function junitCases({ environment, results, causes }: Checked): JunitCase[] {
  return results.map(({ area, title, verdict, durationMs, reason, curl }) => ({
    suite: environment,
    group: area,
    name: title,
    seconds: durationMs / 1_000,
    outcome: outcomeOf(verdict),
    causes: causes.filter(({ tests }) => tests.includes(title)).map(({ sentence }) => sentence),
    ...(reason ? { message: reason } : {}),
    ...(curl ? { details: `${verdict}: ${reason}\n${curl}` } : {}),
  }));
}

function outcomeOf(verdict: Verdict): JunitCase['outcome'] {
  const { ran, exitCode } = verdicts[verdict];
  if (!ran) return 'skipped';
  return exitCode === 0 ? 'passed' : exitCode === 1 ? 'failed' : 'unknown';
}
