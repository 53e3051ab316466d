import { present } from '../../config/index.ts';
import { type AreaId, areaIds, areaTitle } from '../../spec/index.ts';
import { html, type Markup } from './html.ts';
import { isBad, type ScenarioView, type Shown, shownStates, states } from './view.ts';

const stateFilters = ['bad', ...shownStates] as const;

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

const areas = [...areaIds, 'all' as const];
const LONGEST_TEXT = 100;

/** Reads the query of an address; what it doesn't know is left out. */
export function filterOf(query: URLSearchParams): Filter {
  const value = (name: string) => query.get(name)?.trim() || undefined;
  const page = Number(value('page'));
  return {
    ...present({
      environment: value('environment'),
      area: areas.find((area) => area === value('area')),
      state: stateFilters.find((state) => state === value('state')),
      text: value('text')?.toLowerCase().slice(0, LONGEST_TEXT),
    }),
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

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

export function addressOf({ environment, area, state, text, page }: Partial<Filter>): string {
  const given = present({ environment, area, state, text, page: page === 1 ? undefined : page });
  const query = new URLSearchParams(
    Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return query.size > 0 ? `/?${query}` : '/';
}

/** More environments are typed, not chosen from a list. */
const MOST_CHOICES = 300;

export function filterForm(filter: Filter, environments: readonly string[]): Markup {
  return html`<form class="filter" method="get" action="/" role="search" aria-label="Scenarios">
${environments.length > 1 && environmentField(filter, environments)}
<label>Area <select name="area">${option('', 'All', filter.area)}${areas.map((id) => option(id, id === 'all' ? 'Across areas' : areaTitle(id), filter.area))}</select></label>
<label>State <select name="state">${option('', 'Any', filter.state)}${stateFilters.map((state) => option(state, state === 'bad' ? 'Any problem' : states[state].word, filter.state))}</select></label>
<label>Name <input type="search" name="text" value="${filter.text ?? ''}" maxlength="100" size="12"></label>
<button>Show</button>${isFiltering(filter) && html` <a href="/">Show all</a>`}
</form>`;
}

function environmentField({ environment }: Filter, all: readonly string[]): Markup {
  return all.length > MOST_CHOICES
    ? html`<label>Environment <input name="environment" value="${environment ?? ''}" size="12"></label>`
    : html`<label>Environment <select name="environment">${option('', 'All', environment)}${all.map((name) => option(name, name, environment))}</select></label>`;
}

function option(value: string, text: string, chosen: string | undefined): Markup {
  return html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${text}</option>`;
}

/** A page of many, and links to those before and after; no links where there is one page only. */
export function paged<T>(all: readonly T[], size: number, asked: Filter) {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const page = Math.min(asked.page, pages);
  const address = (to: number) => addressOf({ ...asked, page: to });
  const links =
    pages > 1 &&
    html`<nav class="pager" aria-label="Further scenarios">${page > 1 && html`<a href="${address(page - 1)}" rel="prev">Previous</a>`} <span>Page ${page} of ${pages}</span> ${page < pages && html`<a href="${address(page + 1)}" rel="next">Next</a>`}</nav>`;
  return { shown: all.slice((page - 1) * size, page * size), links };
}
