import { counted } from '../../environment/index.ts';
import { familyOf, html, type UtcTime } from '../../run/index.ts';
import { areaTitle } from '../../service/index.ts';
import { beganText, environmentsOf, environmentsText } from '../alerting/wording.ts';
import type { Monitor } from '../monitor.ts';
import type { Uptime } from '../status/uptime.ts';
import { uptimeText } from './components.ts';
import { type EnvironmentView, overallText, type Shown, states, worstOf } from './view.ts';

const PAGE_ID = 'sextant';

/**
 * How many updates of an incident the document contains. It contains only the latest, because an incident of a whole host may have
 * thousands.
 */
const UPDATES = 50;

/** `status.json`, in the format of Statuspage's `summary.json`: environments are groups, areas are their components. */
export interface StatusDocument {
  readonly page: {
    readonly id: string;
    readonly name: string;
    readonly url: string;
    readonly time_zone: string;
    readonly updated_at: UtcTime;
  };
  readonly status: { readonly indicator: 'none' | 'minor' | 'major' | 'critical'; readonly description: string };
  readonly components: readonly Component[];
  /** Open incidents. */
  readonly incidents: readonly {
    readonly id: string;
    readonly name: string;
    readonly status: 'investigating';
    readonly impact: 'major' | 'minor';
    readonly created_at: UtcTime;
    readonly updated_at: UtcTime;
    readonly started_at: UtcTime;
    readonly monitoring_at: null;
    readonly resolved_at: null;
    readonly page_id: string;
    readonly shortlink: string;
    /** The latest updates, one for each scenario. */
    readonly incident_updates: readonly {
      readonly id: string;
      readonly status: 'investigating';
      readonly body: string;
      readonly incident_id: string;
      readonly created_at: UtcTime;
      readonly updated_at: UtcTime;
      readonly display_at: UtcTime;
    }[];
  }[];
  readonly scheduled_maintenances: readonly {
    readonly id: string;
    readonly name: string;
    readonly status: 'in_progress' | 'scheduled';
    readonly impact: 'maintenance';
    readonly scheduled_for: UtcTime;
    readonly scheduled_until: UtcTime;
    readonly page_id: string;
    readonly incident_updates: readonly [];
  }[];
}

interface Component {
  readonly id: string;
  readonly name: string;
  readonly status: ComponentStatus;
  /** @asType integer */
  readonly position: number;
  readonly description: null;
  readonly showcase: boolean;
  readonly only_show_if_degraded: boolean;
  readonly page_id: string;
  readonly group: boolean;
  readonly group_id: string | null;
  /** For an environment: the ids of its areas. */
  readonly components?: readonly string[];
}

type ComponentStatus = (typeof states)[Shown]['component'] | 'partial_outage' | 'under_maintenance';

export function statusDocument(
  environments: readonly EnvironmentView[],
  { recorder, pageUrl }: Pick<Monitor, 'recorder' | 'pageUrl'>,
  now: number,
): StatusDocument {
  const iso = (at: number) => new Date(at).toISOString();
  const page = { id: PAGE_ID, name: 'Sextant', url: pageUrl, time_zone: 'Etc/UTC', updated_at: iso(now) };
  const all = environments.flatMap(({ scenarios }) => scenarios);
  const overall = worstOf(all);
  const outage = all.every(isDown) ? 'critical' : 'major';
  const lesser = states[overall].component === 'operational' ? 'none' : 'minor';
  const indicator = overall === 'down' ? outage : lesser;
  return {
    page,
    status: { indicator, description: overallText(all) },
    components: environments.flatMap(componentsOf),
    incidents: recorder.incidents.open.map((incident) => ({
      id: String(incident.id),
      name: `${environmentsText(environmentsOf(incident.open))}: ${counted(incident.open.length, 'scenario')} ${states[familyOf(incident.cause)].word.toLowerCase()}`,
      status: 'investigating',
      impact: familyOf(incident.cause) === 'down' ? 'major' : 'minor',
      created_at: iso(incident.since),
      updated_at: iso(incident.hits.at(-1)?.at ?? incident.since),
      started_at: iso(incident.since),
      monitoring_at: null,
      resolved_at: null,
      page_id: PAGE_ID,
      shortlink: `${pageUrl}incidents/${incident.id}`,
      incident_updates: incident.latest.slice(-UPDATES).map(({ id, at, scenario }) => ({
        id: String(id),
        status: 'investigating',
        body: `"${scenario.title}" ${beganText(incident.cause)}`,
        incident_id: String(incident.id),
        created_at: iso(at),
        updated_at: iso(at),
        display_at: iso(at),
      })),
    })),
    scheduled_maintenances: recorder.calendar.planned(now).map(({ environment, span }) => ({
      id: `${environment}-${span.from}`,
      name: `Maintenance of ${environment}`,
      status: span.from <= now ? 'in_progress' : 'scheduled',
      impact: 'maintenance',
      scheduled_for: iso(span.from),
      scheduled_until: iso(span.to),
      page_id: PAGE_ID,
      incident_updates: [],
    })),
  };
}

function componentsOf({ name, scenarios, maintenance }: EnvironmentView, position: number): Component[] {
  const usual = { description: null, showcase: true, only_show_if_degraded: false, page_id: PAGE_ID };
  const statusOf = (all: typeof scenarios) => (maintenance ? 'under_maintenance' : outageOf(all));
  const byArea = Map.groupBy(scenarios, ({ known }) => known.area);
  const ofAreas = [...byArea].map(([id, inArea], index) => {
    const own = { id: `${name}-${id}`, name: areaTitle(id), status: statusOf(inArea), position: index };
    return { ...own, ...usual, group: false, group_id: name };
  });
  const own = { id: name, name, status: statusOf(scenarios), position };
  return [{ ...own, ...usual, group: true, group_id: null, components: ofAreas.map(({ id }) => id) }, ...ofAreas];
}

function isDown({ shown }: EnvironmentView['scenarios'][number]): boolean {
  return shown === 'down';
}

function outageOf(scenarios: EnvironmentView['scenarios']): ComponentStatus {
  const isPartial = scenarios.some(isDown) && !scenarios.every(isDown);
  return isPartial ? 'partial_outage' : states[worstOf(scenarios)].component;
}

/** A badge for a README, `staging: up, 100 % in 30 d`. The width of its text is fixed, so that it looks the same with every font. */
export function badge(label: string, views: Parameters<typeof worstOf>[0], month: Uptime): string {
  const shown = worstOf(views);
  const word = states[shown].word.toLowerCase();
  const span = month.withoutData > 0.5 ? '' : ' in 30 d';
  const value = month.ratio === undefined ? word : `${word}, ${uptimeText(month)}${span}`;
  const [a = 0, b = 0] = [label, value].map((text) => Math.round(text.length * 6.4 + 12));
  const text = (at: number, width: number, what: string) =>
    html`<text x="${at + width / 2}" y="14" textLength="${width - 12}" lengthAdjust="spacingAndGlyphs">${what}</text>`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${a + b}" height="20" role="img" aria-label="${label}: ${value}"><title>${label}: ${value}</title><rect width="${a}" height="20" fill="#3d444d"/><rect x="${a}" width="${b}" height="20" fill="${states[shown].colour}"/><g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(0, a, label)}${text(a, b, value)}</g></svg>`
    .text;
}
