import type { Environment } from '../../config/index.ts';
import type { DryRunCall, Planned } from './dry-run.ts';

/** What a rehearsal found, for a person. Requests that follow each other and are alike stand in one line. */
export function describeDryRun(
  { name, provisionUrl, allowedEffects }: Environment,
  rehearsed: readonly DryRunCall[],
): string {
  const lines = [`${name}: what each scenario would send. Nothing was sent there.`, ''];
  const width = Math.max(0, ...rehearsed.flatMap(({ requests }) => requests.map(({ url }) => url.length)));
  for (const { title, requests, skipped, endedEarly } of rehearsed) {
    if (skipped !== undefined && requests.length === 0) continue;
    lines.push(title, ...counted(requests).map((line) => `  ${row(line, width)}`));
    if (skipped !== undefined) lines.push(`  then it would be skipped: ${skipped}`);
    if (endedEarly !== undefined) lines.push(`  the rehearsal ended here: ${endedEarly}`);
    lines.push('');
  }
  const skips = rehearsed.filter(({ skipped }) => skipped !== undefined);
  if (skips.length > 0) lines.push('Skipped', ...skips.map(({ title, skipped }) => `  ${title}: ${skipped}`), '');
  const total = rehearsed.reduce((sum, { requests }) => sum + requests.length, 0);
  lines.push(
    `${total} requests in ${rehearsed.length - skips.length} scenarios; ${skips.length} skipped.`,
    ...(provisionUrl && allowedEffects.has('reversible')
      ? [`Fresh users and items come from ${provisionUrl.href}`]
      : []),
    'A list that lags is asked again. `sextant test` also sends spoiled headers, odd input and random walks, as far as allowed.',
  );
  return lines.join('\n');
}

interface Counted extends Planned {
  readonly times: number;
}

function counted(requests: readonly Planned[]): Counted[] {
  const all: Counted[] = [];
  for (const request of requests) {
    const last = all.at(-1);
    const isAlike = last && last.method === request.method && last.url === request.url && last.as === request.as;
    if (isAlike) all[all.length - 1] = { ...last, times: last.times + 1 };
    else all.push({ ...request, times: 1 });
  }
  return all;
}

function row({ method, url, effect, as, times }: Counted, width: number): string {
  return `${method.padEnd(6)} ${url.padEnd(width)}  ${effect.padEnd(12)} as ${as}${times > 1 ? `  ×${times}` : ''}`;
}
