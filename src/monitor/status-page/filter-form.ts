import { type AreaId, areaIds, areaTitle } from '../../spec/index.ts';
import { type Filter, isFiltering, stateFilters } from './filter.ts';
import { html, type Markup } from './html.ts';
import { stateWords } from './parts.ts';

/** More environments are typed, not chosen from a list. */
const MOST_CHOICES = 300;

const stateNames = { bad: 'Any problem', ...stateWords };

/** The filter as a form that keeps its choice in the address. */
export function filterForm(filter: Filter, environments: readonly string[]): Markup {
  const areas: readonly (AreaId | 'all')[] = [...areaIds, 'all'];
  return html`<form class="filter" method="get" action="/" role="search" aria-label="Scenarios">
${environments.length > 1 && environmentField(filter, environments)}
<label>Area <select name="area">${option('', 'All', filter.area)}${areas.map((id) => option(id, id === 'all' ? 'Across areas' : areaTitle(id), filter.area))}</select></label>
<label>State <select name="state">${option('', 'Any', filter.state)}${stateFilters.map((state) => option(state, stateNames[state], filter.state))}</select></label>
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
