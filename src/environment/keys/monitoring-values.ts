import { Cron } from 'croner';
import { type Checked, partsOf, wrong } from './check-keys.ts';

/** A recurring maintenance window: a cron pattern for its start, a time zone and a duration. */
export interface MaintenanceRule {
  readonly pattern: string;
  /** IANA name, e.g. `Europe/Berlin`. */
  readonly timeZone: string;
  readonly durationMs: number;
}

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Checks a duration (`500ms`, `60s`, `5m`, `1h` or `7d`) and converts it to ms. Both limits are inclusive. */
export function duration(shortest: string, longest: string): (value: string) => Checked<number> {
  const [least = 0, most = 0] = [milliseconds(shortest), milliseconds(longest)];
  const isWithin = (ms: number | undefined) => ms !== undefined && ms >= least && ms <= most;
  return (value) => {
    const ms = milliseconds(value);
    if (ms !== undefined && isWithin(ms)) return { value: ms };
    const usual = ['60s', '5m', '1h'].filter((each) => isWithin(milliseconds(each)));
    const fitting =
      usual.length > 0 ? usual : ['500ms', '5s', '7d', '30d'].filter((each) => isWithin(milliseconds(each)));
    const examples = fitting.join(', ').replace(/, (?=\w+$)/, ' or ');
    return wrong(value, `is not a duration from ${shortest} to ${longest}; expected e.g. ${examples}`);
  };
}

function milliseconds(value: string): number | undefined {
  const [, amount, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(value.trim()) ?? [];
  return amount && unit ? Number(amount) * units[unit as keyof typeof units] : undefined;
}

export const everyDuration = duration('5s', '1h');

/** Checks a list of intervals by tag, such as `@read=30s, @gameDesign=10m`, and converts it to ms. */
export function durationsByTag(value: string): Checked<ReadonlyMap<string, number>> {
  const byTag = new Map<string, number>();
  for (const part of partsOf(value)) {
    const [, tag, time] = /^@(\w+)\s*=\s*(\S+)$/.exec(part) ?? [];
    if (!tag || !time) return wrong(part, 'is not a tag with a duration; expected e.g. @read=30s, @storage=10m');
    const every = everyDuration(time);
    if ('problem' in every) return { problem: `@${tag}: ${every.problem}` };
    byTag.set(tag, every.value);
  }
  return { value: byTag };
}

/** Checks maintenance windows such as `0 2 * * SUN for 2h in Europe/Berlin`, separated by semicolons. */
export function maintenanceRules(value: string): Checked<readonly MaintenanceRule[]> {
  const rules: MaintenanceRule[] = [];
  for (const part of partsOf(value, ';')) {
    const [, pattern, time, timeZone] = /^(.+?)\s+for\s+(\S+)\s+in\s+(\S+)$/.exec(part) ?? [];
    if (!pattern || !time || !timeZone)
      return wrong(part, 'is not a maintenance window; expected e.g. 0 2 * * SUN for 2h in Europe/Berlin');
    const lasting = duration('1m', '7d')(time);
    if ('problem' in lasting) return lasting;
    if (!isTimeZone(timeZone)) return wrong(timeZone, 'is not a time zone; expected e.g. Europe/Berlin or UTC');
    try {
      if (!new Cron(pattern, { timezone: timeZone, paused: true }).nextRun())
        return wrong(pattern, 'never happens; expected e.g. 0 2 * * SUN (Sundays at 2:00)');
    } catch {
      return wrong(pattern, 'is not a cron pattern; expected e.g. 0 2 * * SUN (Sundays at 2:00)');
    }
    rules.push({ pattern, timeZone, durationMs: lasting.value });
  }
  return { value: rules };
}

/** Tries the name, because `Intl.supportedValuesOf` lists no alias such as US/Eastern. */
function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
