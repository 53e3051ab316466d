import { Cron } from 'croner';
import type { MaintenanceRule } from '../../config/index.ts';
import type { Span } from './uptime.ts';

/** The window that contains `now`, if any; of overlapping windows, the one that ends last. */
export function maintenanceAt(rules: readonly MaintenanceRule[], now: number): Span | undefined {
  const open = rules.flatMap((rule) => {
    const from = lastOpening(rule, now);
    return from !== undefined && now < from + rule.durationMs ? [{ from, to: from + rule.durationMs }] : [];
  });
  return open.sort((a, b) => b.to - a.to)[0];
}

/** The next windows after `now`, at most `count` per rule, in order. */
export function nextMaintenance(rules: readonly MaintenanceRule[], now: number, count: number): Span[] {
  return rules
    .flatMap((rule) =>
      cronOf(rule)
        .nextRuns(count, new Date(now))
        .map((date) => ({ from: date.getTime(), to: date.getTime() + rule.durationMs })),
    )
    .sort((a, b) => a.from - b.from);
}

/** From one opening of a rule to its next; the same is asked for with every run. */
const between = new WeakMap<MaintenanceRule, Span>();

/** The start of the latest window that may still be open. */
function lastOpening(rule: MaintenanceRule, now: number): number | undefined {
  const known = between.get(rule);
  if (known && now >= known.from && now < known.to) return known.from;
  // croner excludes its reference time and counts whole seconds, so that a window starting right now needs the extra second.
  const dates = cronOf(rule).previousRuns(2, new Date(now + 1000));
  const from = dates.map((date) => date.getTime()).find((at) => at <= now);
  const to = cronOf(rule).nextRun(new Date(now))?.getTime();
  if (from !== undefined && to !== undefined) between.set(rule, { from, to });
  return from;
}

const crons = new Map<string, Cron>();

function cronOf({ pattern, timeZone }: MaintenanceRule): Cron {
  const key = `${timeZone} ${pattern}`;
  const known = crons.get(key) ?? new Cron(pattern, { timezone: timeZone, paused: true });
  crons.set(key, known);
  return known;
}
