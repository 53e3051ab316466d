import { isDeepStrictEqual } from 'node:util';
import { excerpt } from '../../../client/index.ts';
import { counted, type Environment } from '../../../config/index.ts';
import { type Effect, effects } from '../../../spec/index.ts';
import { contractLines } from '../../check/console.ts';
import type { DryRunCall, Planned } from './dry-run.ts';

/** The result of a dry run as text; equal requests in a row share one line. */
export function describeDryRun(
  { name, provisionUrl, allowedEffects, contract }: Environment,
  scenarios: readonly DryRunCall[],
): string {
  const lines = [`${name}: what each scenario would send. Nothing was sent.`, ''];
  const width = Math.max(0, ...scenarios.flatMap(({ requests }) => requests.map(({ url }) => url.length)));
  for (const { title, requests, skipped, endedEarly } of scenarios) {
    if (skipped !== undefined && requests.length === 0) continue;
    lines.push(title, ...grouped(requests).map(({ request, times }) => `  ${row(request, times, width)}`));
    if (skipped !== undefined) lines.push(`  then skipped: ${skipped}`);
    if (endedEarly !== undefined) lines.push(`  the dry run ended here: ${endedEarly}`);
    lines.push('');
  }
  const skips = scenarios.filter(({ skipped }) => skipped !== undefined);
  if (skips.length > 0) lines.push('Skipped', ...skips.map(({ title, skipped }) => `  ${title}: ${skipped}`), '');
  const total = scenarios.reduce((sum, { requests }) => sum + requests.length, 0);
  lines.push(
    `${counted(total, 'request')} in ${counted(scenarios.length - skips.length, 'scenario')}; ${skips.length} skipped.`,
    ...(provisionUrl && allowedEffects.has('reversible')
      ? [`Fresh users and items would come from ${provisionUrl.href}`]
      : []),
    ...contractLines(name, contract),
    'A list that lags is read again. `sextant test` also sends changed headers, invalid input and the steps of model tests, as far as allowed.',
  );
  return lines.join('\n');
}

/** Each request with how often it comes in a row. */
function grouped(requests: readonly Planned[]): { readonly request: Planned; readonly times: number }[] {
  const all: { readonly request: Planned; times: number }[] = [];
  for (const request of requests) {
    const last = all.at(-1);
    if (last && isDeepStrictEqual(last.request, request)) last.times++;
    else all.push({ request, times: 1 });
  }
  return all;
}

function row({ method, url, effect, as }: Planned, times: number, width: number): string {
  return `${method.padEnd(6)} ${url.padEnd(width)}  ${effect.padEnd(12)} as ${as}${times > 1 ? `  ×${times}` : ''}`;
}

const meanings: Readonly<Record<Effect, string>> = {
  read: 'changes nothing',
  reversible: 'undone by the run that did it',
  overwriting: 'an old value is lost unless it can be read first',
  irreversible: 'stays for good',
};

/** A line for each effect: how many requests, which, and what they leave behind. */
export function effectLines(all: readonly DryRunCall[]): string[] {
  const width = Math.max(...effects.map((effect) => effect.length));
  return effects.flatMap((effect) => {
    const requests = all.flatMap((call) => call.requests).filter((request) => request.effect === effect);
    const distinct = [...new Set(requests.map(({ method, url }) => `${method} ${excerpt(new URL(url).pathname, 60)}`))];
    const indent = ' '.repeat(width + 4);
    return [
      `  ${effect.padEnd(width)}  ${requests.length === 0 ? 'none with this test data' : counted(requests.length, 'request')}; ${meanings[effect]}`,
      ...distinct.map((line) => `${indent}${line}`),
    ];
  });
}
