import { join } from 'node:path';
import { redact } from '../client/index.ts';
import { fileRoles, isThere, listFolder, readText, readTextIfAny, replaceText } from '../config/files/index.ts';
import { ConfigurationError } from '../config/index.ts';
import { outputFiles, outputFolder } from '../scenario/index.ts';
import { attributeText } from './escaped.ts';
import type { RunFacts, RunIdentity } from './run-facts.ts';
import type { Summary } from './summary.ts';

/** The file of a page's figures, from which the first page is made. */
const PAGE = 'page.json';

/**
 * Puts the last run's report into the folder of a static site, in a folder named for its environments, with the history that
 * the next run continues; and makes the first page anew. Returns the path of the report.
 * @throws ConfigurationError without a report; FileTrouble
 */
export function publish(site: string): string {
  const files = outputFiles();
  const index = join(files.report, 'index.html');
  const run = readTextIfAny(files.run, fileRoles.output);
  const summary = readTextIfAny(files.summary, fileRoles.output);
  if (run === undefined || summary === undefined || !isThere(index, fileRoles.output))
    throw new ConfigurationError(`There is no report in ${outputFolder()} to publish: run \`npx sextant test\` first.`);
  const page = pageOf(JSON.parse(run) as RunFacts, JSON.parse(summary) as Summary);
  const folder = join(site, page.folder);
  const history = readTextIfAny(files.history, fileRoles.output);
  write(join(folder, 'index.html'), readText(index, fileRoles.output));
  if (history !== undefined) write(join(folder, 'history.jsonl'), history);
  write(join(folder, PAGE), `${JSON.stringify(page, null, 2)}\n`);
  write(join(site, 'index.html'), siteIndex(pagesOf(site)));
  return join(folder, 'index.html');
}

function pageOf({ run, environments }: RunFacts, { passed, failed, unknown, skipped }: Summary): SitePage {
  const names = Object.keys(environments).sort();
  const { startedAt = '', commit = null, status = 'passed' } = run ?? {};
  return { folder: names.join('+'), environments: names, startedAt, commit, status, passed, failed, unknown, skipped };
}

/** Every report on the site, by name. What isn't one is left alone. */
function pagesOf(site: string): SitePage[] {
  return listFolder(site, fileRoles.written)
    .sort()
    .flatMap((name) => {
      try {
        const text = readTextIfAny(join(site, name, PAGE), fileRoles.written);
        return text === undefined ? [] : [{ ...(JSON.parse(text) as SitePage), folder: name }];
      } catch {
        return [];
      }
    });
}

function write(path: string, text: string): void {
  replaceText(path, redact(text), fileRoles.written);
}

/** A report on a site of reports, with the last run that it shows. */
export interface SitePage extends Pick<Summary, 'passed' | 'failed' | 'unknown' | 'skipped'> {
  readonly folder: string;
  readonly environments: readonly string[];
  /** ISO. */
  readonly startedAt: string;
  readonly commit: string | null;
  /** Absent in the page of a run of an older version. */
  readonly status?: RunIdentity['status'];
}

/** The first page of a site of reports: one row for each environment. */
export function siteIndex(pages: readonly SitePage[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sextant reports</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  table { border-collapse: collapse; width: 100%; }
  th, td { padding: .4rem .6rem; text-align: left; border-bottom: 1px solid #8884; }
  td.count, th.count { text-align: right; font-variant-numeric: tabular-nums; }
  @media (max-width: 40rem) {
    thead { display: none; }
    tr { display: grid; grid-template-columns: 1fr 1fr; border-bottom: 1px solid #8884; padding: .6rem 0; }
    td, td.count { border: 0; padding: .1rem 0; text-align: left; overflow-wrap: anywhere; }
    td[data-label]::before { content: attr(data-label) " "; opacity: .7; }
  }
</style>
<h1>Sextant reports</h1>
<table>
  <thead>
    <tr><th>Environment</th><th>Result</th><th class="count">Passed</th><th class="count">Failed</th><th class="count">Unknown</th><th class="count">Skipped</th><th>Last run (UTC)</th><th>Commit</th></tr>
  </thead>
  <tbody>
${pages.map(row).join('\n')}
  </tbody>
</table>
</html>
`;
}

function row({ folder, environments, startedAt, commit, status, ...counts }: SitePage): string {
  const cells = (['Passed', 'Failed', 'Unknown', 'Skipped'] as const).map((label) => {
    const count = counts[label.toLowerCase() as Lowercase<typeof label>];
    return `<td class="count" data-label="${label}">${count}</td>`;
  });
  const link = `<a href="${encodeURIComponent(folder)}/index.html">${attributeText(environments.join(', '))}</a>`;
  const time = attributeText(startedAt.slice(0, 16).replace('T', ' '));
  return `    <tr><td>${link}</td><td>${resultOf(counts, status)}</td>${cells.join('')}<td data-label="UTC">${time}</td><td data-label="Commit">${attributeText(commit?.slice(0, 8) ?? '')}</td></tr>`;
}

/** A run in which nothing passed, or which did not come to its own end, proves nothing. */
function resultOf(
  { passed, failed, unknown }: Pick<Summary, 'passed' | 'failed' | 'unknown'>,
  status = 'passed',
): string {
  if (failed > 0) return '❌ failed';
  if (unknown > 0 || passed === 0 || status !== 'passed') return '❔ unknown';
  return '✅ passed';
}
