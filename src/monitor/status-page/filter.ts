import { type AreaId, areaIds } from '../../spec/index.ts';
import { isBad, type ScenarioView, type Shown, shownStates } from './view.ts';

export const stateFilters = ['bad', ...shownStates] as const;

/** The scenarios that a page shows, as its address names them. */
export interface Filter {
  readonly environment?: string;
  readonly area?: AreaId | 'all';
  /** bad: down, degraded, unknown or skipped. */
  readonly state?: 'bad' | Shown;
  /** In lower case; part of a scenario's name. */
  readonly text?: string;
  /** From 1. */
  readonly page: number;
}

const areaNames: readonly string[] = [...areaIds, 'all'];
const LONGEST_TEXT = 100;

/** Reads the query of an address; what it doesn't know is left out. */
export function filterOf(query: URLSearchParams): Filter {
  const value = (name: string) => query.get(name)?.trim() ?? '';
  const [environment, area, state] = [value('environment'), value('area'), value('state')];
  const text = value('text').toLowerCase().slice(0, LONGEST_TEXT);
  const page = Number(value('page'));
  return {
    ...(environment ? { environment } : {}),
    ...(areaNames.includes(area) ? { area: area as AreaId | 'all' } : {}),
    ...((stateFilters as readonly string[]).includes(state) ? { state: state as 'bad' | Shown } : {}),
    ...(text ? { text } : {}),
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

/** Whether the address asks for some of the scenarios only. */
export function isFiltering({ page: _, ...rest }: Filter): boolean {
  return Object.keys(rest).length > 0;
}

export function matches(view: Pick<ScenarioView, 'shown' | 'known' | 'neverRan'>, filter: Filter): boolean {
  const { known, shown } = view;
  const { environment, area, state, text } = filter;
  return (
    (environment === undefined || known.environment === environment) &&
    (area === undefined || known.area === area) &&
    (state === undefined || (state === 'bad' ? isBad(view) : shown === state)) &&
    (text === undefined || known.title.toLowerCase().includes(text))
  );
}

/** The address that shows what `filter` says. */
export function addressOf(filter: Partial<Filter>): string {
  const { environment, area, state, text, page } = filter;
  const given = { environment, area, state, text, page: page === 1 ? undefined : page };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, String(value));
  return query.size > 0 ? `/?${query}` : '/';
}
