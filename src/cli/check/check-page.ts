import { relative } from 'node:path';
import { verdicts } from '../../client/index.ts';
import { readText } from '../../config/files/index.ts';
import { counted } from '../../config/index.ts';
import { projectRoot } from '../../config/project-root.ts';
import { githubAnnotation, lineOfTitle } from '../../reporting/annotation.ts';
import { closingMarkdown, failuresMarkdown } from '../../reporting/job-page.ts';
import { type CountedOutcome, summarise } from '../../reporting/summary.ts';
import { summaryMarkdown } from '../../reporting/summary-text.ts';
import type { ScenarioResult } from '../../runner/index.ts';
import type { Checked } from './check-environments.ts';

/** The page of a check, in Markdown: a table by area, each failure, and the likely causes. */
export function checkPage(all: readonly Checked[], seed: string, causes: readonly string[]): string {
  const results = all.flatMap(({ results: each }) => each);
  const requests = results.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  const title = all.length === 1 ? `Check of ${all[0]?.environment}` : `Check of ${counted(all.length, 'environment')}`;
  const failures = all.flatMap(({ environment, results: each }) =>
    each.filter(isFailed).map((result) => ({ environment, title: result.title, text: textOf(result) })),
  );
  const table = summaryMarkdown(summarise(results.map(outcomeOf)), requests, seed, title);
  return `${table}${failuresMarkdown(failures)}${closingMarkdown(causes, undefined)}`;
}

/** GitHub's annotations of the failures, at the line of each spec. */
export function annotationsOf(all: readonly Checked[]): string[] {
  return all.flatMap(({ environment, results }) =>
    results.filter(isFailed).map((result) => {
      const { file, title } = result;
      const line = lineOfTitle(readText(file, { what: 'a spec' }), title);
      const shown = {
        file: relative(projectRoot, file),
        line,
        title: `${environment}: ${title}`,
        message: textOf(result),
      };
      return githubAnnotation(shown);
    }),
  );
}

function isFailed({ verdict }: ScenarioResult): boolean {
  return verdicts[verdict].ran && verdicts[verdict].exitCode === 1;
}

function textOf({ verdict, reason = '', curl }: ScenarioResult): string {
  return [`${verdict}: ${reason}`, ...(curl ? [curl] : [])].join('\n');
}

function outcomeOf({ area, title, verdict, reason, unproven }: ScenarioResult): CountedOutcome & { title: string } {
  const { ran, exitCode } = verdicts[verdict];
  const outcome = !ran ? 'skipped' : exitCode === 0 ? 'passed' : exitCode === 1 ? 'failed' : 'unknown';
  return { area, title, outcome, ...(reason ? { reason } : {}), ...(unproven ? { unproven } : {}) };
}
