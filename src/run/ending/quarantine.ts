import { join } from 'node:path';
import { shown } from '../../environment/files/file-trouble.ts';
import { fileRoles, readTextIfAny } from '../../environment/files/index.ts';
import { ConfigurationError, environmentsFolder } from '../../environment/index.ts';
import { parsedJson, recordProblems } from '../../http/index.ts';

/** A scenario that is known to fail. The scenario still runs, but a failure counts as skipped until the last day of the quarantine. */
export interface Quarantined {
  readonly title: string;
  /** The environment to which the entry applies. If absent, the entry applies to all environments. */
  readonly environment?: string;
  readonly owner: string;
  /** The last day of the quarantine, as YYYY-MM-DD in UTC. */
  readonly until: string;
  readonly reason: string;
}

const fields = { title: 'text', owner: 'text', until: 'day', reason: 'text', environment: 'text?' } as const;

export function problemsOfList(list: unknown): string[] {
  if (!Array.isArray(list)) return ['it must be a JSON list of entries'];
  return list.flatMap((entry: unknown, index) =>
    recordProblems(entry, fields).map((each) => `entry ${index + 1}: ${each}`),
  );
}

/** The quarantine entry of a scenario, and whether its last day has passed. `now` is epoch time in ms. */
export function quarantineOf(
  entries: readonly Quarantined[],
  environment: string,
  title: string,
  now: number,
): { readonly entry: Quarantined; readonly isOver: boolean } | undefined {
  const mine = entries.filter((each) => each.title === title && [undefined, environment].includes(each.environment));
  const [entry] = mine.sort((a, b) => (a.until < b.until ? 1 : -1));
  return entry && { entry, isOver: new Date(now).toISOString().slice(0, 10) > entry.until };
}

export function quarantineText({ until, owner, reason }: Quarantined): string {
  return `quarantined until ${until} (${owner}): ${reason}`;
}

export function overText({ until, owner }: Quarantined): string {
  return `its quarantine ended on ${until} (${owner}): remove it from quarantine.json, or give a later date`;
}

/**
 * The entries of `quarantine.json` next to the environments, if any.
 * @throws ConfigurationError with all problems; FileTrouble if the file can't be read
 */
export function loadQuarantine(folder = environmentsFolder()): readonly Quarantined[] {
  const path = join(folder, 'quarantine.json');
  const text = readTextIfAny(path, fileRoles.environment);
  if (text === undefined) return [];
  const list = parsedJson(text);
  const problems = problemsOfList(list);
  if (problems.length > 0)
    throw new ConfigurationError(
      `${shown(path)} (${fileRoles.environment.what}) can't be used: ${problems.join('; ')}.`,
    );
  return list as Quarantined[];
}
