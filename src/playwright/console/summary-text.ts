import type { Counts } from '../../engine/run/index.ts';
import { type AreaId, areaTitle } from '../../spec/index.ts';
import { flakeText, type Summary } from '../summary.ts';
import { colours } from './terminal.ts';

const columns = ['passed', 'failed', 'unknown', 'skipped', 'unproven'] as const;

function rows({ areas: byArea }: Summary): [title: string, counts: Counts][] {
  return Object.entries(byArea).map(([area, counts]) => [areaTitle(area as AreaId | 'all'), counts]);
}

export function summaryText(summary: Summary, requests: number): string {
  const { green, red, cyan, yellow, dim, bold } = colours();
  const paint = { passed: green, failed: red, unknown: cyan, skipped: yellow, unproven: yellow };
  const cells = (counts: Counts) =>
    columns.map((column) => {
      const text = String(counts[column]).padStart(9);
      return counts[column] > 0 ? paint[column](text) : dim(text);
    });
  const line = (title: string, counts: Counts) => `  ${title.padEnd(16)}${cells(counts).join('')}`;
  const lines = [
    '',
    dim(`  ${''.padEnd(16)}${columns.map((column) => column.padStart(9)).join('')}`),
    ...rows(summary).map(([title, counts]) => line(title, counts)),
    bold(line('Total', summary)),
    '',
    ...summary.unknownBecause.map(({ reason, count }) => `  ${cyan('unknown')} ${count} × ${reason}`),
    ...summary.skippedBecause.map(({ reason, count }) => `  ${yellow('skipped')} ${count} × ${reason}`),
    ...summary.flakes.map((flake) => `  ${yellow('flaky')}   ${flake.title}: ${flakeText(flake)}`),
    ...(summary.unknownBecause.length + summary.skippedBecause.length + summary.flakes.length > 0 ? [''] : []),
    dim(`  ${requestsText(requests)}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** A summary for the page of a job: what the run was, what it failed for, and the table. `status` is Playwright's of the run. */
export function summaryMarkdown(
  summary: Summary,
  run: {
    readonly title: string;
    readonly facts: string;
    readonly causes: string;
    readonly status?: string | undefined;
  },
): string {
  const { title, facts, causes, status } = run;
  const mark = ({ failed, unknown, passed }: Counts, ending = 'passed') =>
    failed > 0 ? '❌' : unknown > 0 || ending !== 'passed' ? '❔' : passed > 0 ? '✅' : '⏭️';
  const row = (name: string, counts: Counts) =>
    `| ${mark(counts)} ${name} | ${columns.map((column) => counts[column]).join(' | ')} |`;
  const reasons = [
    ...summary.unknownBecause.map(({ reason, count }) => `- ${count} unknown: ${reason}`),
    ...summary.skippedBecause.map(({ reason, count }) => `- ${count} skipped: ${reason}`),
    ...summary.flakes.map((flake) => `- flaky: ${flake.title}: ${flakeText(flake)}`),
  ];
  return `${[
    `### ${mark(summary, status)} ${title}`,
    '',
    facts,
    '',
    ...(causes ? [causes] : []),
    '| Area | Passed | Failed | Unknown | Skipped | Unproven |',
    '|---|--:|--:|--:|--:|--:|',
    ...rows(summary).map(([name, counts]) => row(name, counts)),
    row('**Total**', summary),
    ...(reasons.length > 0 ? ['', ...reasons] : []),
  ].join('\n')}\n`;
}

export function requestsText(requests: number): string {
  return `${requests.toLocaleString('en')} request${requests === 1 ? '' : 's'}`;
}
