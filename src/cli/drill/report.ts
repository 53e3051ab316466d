import { counted } from '../../config/index.ts';
import { type ServiceDrilled, type WireOutcome, wireScore } from '../../fault-injection/index.ts';
import { html } from '../../monitor/status-page/html.ts';
import { badge } from '../../monitor/status-page/parts.ts';
import { printable } from '../output/printable.ts';

/** Reasons that the score line has room for. */
const MOST_REASONS = 3;

/** One fault in one line: what became of it, and who saw it, or why nobody did. */
export function wireRow({ name, became, by, reason, isYellow, called }: WireOutcome): string {
  const monitored = called === undefined ? '' : called ? '  somebody is called' : '  nobody is called';
  const why = by === null ? (reason ?? '') : `← ${by}${isYellow ? ' (slow)' : ''}${monitored}`;
  return printable(`${became.padEnd(9)} ${name}  ${why}`);
}

/** `staging: 141 of 152 faults would turn the gate red; 6 can't be seen here: …; 5 survived: …`. */
export function scoreLine(environment: string, outcomes: readonly WireOutcome[]): string {
  const { caught, of } = wireScore(outcomes);
  const yellow = outcomes.filter(({ isYellow }) => isYellow).length;
  const called = outcomes.filter((each) => each.called).length;
  const isMonitored = outcomes.some((each) => each.called !== undefined);
  const ofWhich = yellow > 0 ? ` (${yellow} of them yellow: slow)` : '';
  return [
    `${environment}: ${caught} of ${of} faults would turn the gate red${ofWhich}`,
    ...missed(outcomes, 'unseen', "can't be seen here"),
    ...missed(outcomes, 'survived', 'survived'),
    ...(isMonitored ? [`the monitor would call somebody for ${called}`] : []),
  ].join('; ');
}

function missed(outcomes: readonly WireOutcome[], became: WireOutcome['became'], words: string): string[] {
  const those = outcomes.filter((each) => each.became === became);
  if (those.length === 0) return [];
  const reasons = [...Map.groupBy(those, ({ reason }) => reason ?? '')].sort(([, a], [, b]) => b.length - a.length);
  const shown = reasons.slice(0, MOST_REASONS).map(([reason, { length }]) => `${reason} (${length})`);
  return [printable(`${those.length} ${words}: ${shown.join(', ')}${reasons.length > MOST_REASONS ? ' …' : ''}`)];
}

/** The document that `drill --env --json` prints. */
export function wireDocument(
  environment: string,
  { outcomes, requests, durationMs }: Omit<ServiceDrilled, 'irreversible'>,
) {
  return {
    environment,
    faults: outcomes.map(({ name, operation, kind, became, by, reason, called }) => ({
      name,
      operation,
      kind,
      caught: became === 'caught',
      by,
      reason,
      ...(called === undefined ? {} : { called }),
    })),
    requests,
    durationMs: Math.round(durationMs),
  };
}

/** The page beside the report: the score, then every fault, those that are missed first. */
export function wirePage(environment: string, outcomes: readonly WireOutcome[], drilledAt: number): string {
  const order = ['survived', 'unseen', 'caught'];
  const rows = outcomes
    .toSorted((a, b) => order.indexOf(a.became) - order.indexOf(b.became))
    .map(
      ({ name, operation, kind, became, by, reason, called }) =>
        html`<tr class="${became}"><td>${became}</td><td><code>${name}</code></td><td>${operation}</td><td>${kind}</td><td>${by ?? reason}</td><td>${called === undefined ? '' : called ? 'called' : 'not called'}</td></tr>\n`,
    );
  const page = html`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Drill of ${environment}</title>
<style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;color:#1f2328;background:#fff}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #d1d9e0;vertical-align:top}.survived td:first-child{color:#cf222e}.unseen td:first-child{color:#9a6700}.caught td:first-child{color:#1a7f37}</style>
<h1>Drill of ${environment}</h1>
<p>${scoreLine(environment, outcomes)}</p>
<p>${new Date(drilledAt).toISOString().slice(0, 16).replace('T', ' ')} UTC. Every fault was on the wire of the drill alone; the service itself was healthy.</p>
<table><thead><tr><th>became</th><th>fault</th><th>operation</th><th>kind</th><th>seen by, or why not</th><th>monitor</th></tr></thead><tbody>
${rows}</tbody></table>
</html>
`;
  return page.text;
}

/** A badge for a README. */
export function wireBadge(environment: string, outcomes: readonly WireOutcome[]): string {
  const { caught, of, percent } = wireScore(outcomes);
  return badge(
    `${environment} gate`,
    `${caught} of ${of} faults`,
    percent >= 90 ? 'up' : percent >= 70 ? 'degraded' : 'down',
  );
}

export function plannedText(environment: string, faults: number, requests: number, perSecond?: number): string {
  const time = perSecond
    ? ` (${perSecond} a second: about ${counted(Math.ceil(requests / perSecond / 60), 'minute')})`
    : '';
  return `Drill of ${environment}: ${counted(faults, 'fault')} with about ${counted(requests, 'request')}${time}`;
}
