import pc from 'picocolors';
import { type AreaId, areaTitle } from '../spec/index.ts';
import type { AreaCounts, Summary } from './summary.ts';

const columns = ['passed', 'failed', 'unknown', 'skipped', 'unproven'] as const;

function rows({ areas: byArea }: Summary): [title: string, counts: AreaCounts][] {
  return Object.entries(byArea).map(([area, counts]) => [areaTitle(area as AreaId | 'all'), counts]);
}

/** A summary for a terminal, with colours if `hasColour`. */
export function summaryText(summary: Summary, requests: number, hasColour: boolean): string {
  const { green, red, cyan, yellow, dim, bold } = pc.createColors(hasColour);
  const paint = { passed: green, failed: red, unknown: cyan, skipped: yellow, unproven: yellow };
  const cells = (counts: AreaCounts) =>
    columns.map((column) => {
      const text = String(counts[column]).padStart(9);
      return counts[column] > 0 ? paint[column](text) : dim(text);
    });
  const line = (title: string, counts: AreaCounts) => `  ${title.padEnd(16)}${cells(counts).join('')}`;
  const lines = [
    '',
    dim(`  ${''.padEnd(16)}${columns.map((column) => column.padStart(9)).join('')}`),
    ...rows(summary).map(([title, counts]) => line(title, counts)),
    bold(line('Total', summary)),
    '',
    ...summary.unknownBecause.map(({ reason, count }) => `  ${cyan('unknown')} ${count} × ${reason}`),
    ...summary.skippedBecause.map(({ reason, count }) => `  ${yellow('skipped')} ${count} × ${reason}`),
    ...summary.flakes.map((flake) => `  ${yellow('flaky')}   ${flakeText(flake)}`),
    ...(summary.unknownBecause.length + summary.skippedBecause.length + summary.flakes.length > 0 ? [''] : []),
    dim(`  ${requests.toLocaleString('en')} requests`),
  ];
  return `${lines.join('\n')}\n`;
}

/** A summary for the page of a job. */
export function summaryMarkdown(summary: Summary, requests: number, seed: string, title = 'Sextant'): string {
  const row = (title: string, { passed, failed, unknown, skipped, unproven }: AreaCounts) =>
    `| ${failed > 0 ? '❌' : unknown > 0 ? '❔' : passed > 0 ? '✅' : '⏭️'} ${title} | ${passed} | ${failed} | ${unknown} | ${skipped} | ${unproven} |`;
  const reasons = [
    ...summary.unknownBecause.map(({ reason, count }) => `- ${count} unknown: ${reason}`),
    ...summary.skippedBecause.map(({ reason, count }) => `- ${count} skipped: ${reason}`),
    ...summary.flakes.map((flake) => `- flaky: ${flakeText(flake)}`),
  ];
  return `${[
    `### ${title}`,
    '',
    '| Area | Passed | Failed | Unknown | Skipped | Unproven |',
    '|---|--:|--:|--:|--:|--:|',
    ...rows(summary).map(([title, counts]) => row(title, counts)),
    row('**Total**', summary),
    '',
    ...reasons,
    ...(reasons.length > 0 ? [''] : []),
    `${requests.toLocaleString('en')} requests, seed \`${seed}\``,
  ].join('\n')}\n`;
}

function flakeText({ title, attempts, reason }: Summary['flakes'][number]): string {
  return `${title}: passed at attempt ${attempts}; before: ${reason}`;
}
