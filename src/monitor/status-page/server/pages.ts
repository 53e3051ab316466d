import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PageResponse, type Route, typed } from '../../../serving/index.ts';
import { environmentsOf, environmentsText } from '../../alerting/wording.ts';
import { incidentStory } from '../../history/incidents.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { Monitor } from '../../monitor.ts';
import type { GuessCause } from '../../status/flip.ts';
import { atomFeed } from '../feed.ts';
import { type Filter, filterForm } from '../filter.ts';
import { uptimeText } from '../format.ts';
import { html } from '../html.ts';
import { eventOf } from '../incident/incident-form.ts';
import { openProblems, pastIncidents } from '../incident/incident-lists.ts';
import { incidentPage, likelyCause } from '../incident/incident-page.ts';
import { scenarioSections } from '../overview.ts';
import { badge, type Frame, formula, layout, state } from '../parts.ts';
import type { Board } from '../scenario/board.ts';
import { ranges } from '../scenario/latency-series.ts';
import { scenarioPage } from '../scenario/scenario-page.ts';
import { overallText, scenariosOf, states, worstOf, worstOfAll } from '../view.ts';
import { maintenanceForm } from './maintenance.ts';
import { statusJson } from './status-json.ts';

/** A deploy longer ago explains no incident. */
const ANNOUNCED_MS = 3_600_000;

export type Pages = ReturnType<typeof pagesOf>;

/** The pages of a monitor, drawn as they are asked for. */
export function pagesOf(monitor: Monitor, board: Board, metrics: Metrics, guessCause: GuessCause = () => undefined) {
  const { recorder, settings } = monitor;
  const framed = ({ title, ...frame }: Frame) =>
    layout({ edition: recorder.edition, ...frame, title: `${title} · Sextant` });
  return {
    monitor,
    metrics,
    overview(isPublic: boolean, filter: Filter): string {
      const now = Date.now();
      const environments = board.environments(now);
      const headline = overallText(scenariosOf(environments));
      const shown = worstOfAll(environments);
      const { isWell, problems } = monitor.health();
      const names = environments.map(({ name }) => name);
      const body = html`<h1 class="banner ${shown}" id="headline">${state(shown, headline)}</h1>
${!isWell && html`<p class="trouble" role="alert">The monitor itself has a problem${isPublic ? '' : `: ${problems.join('; ')}`}.</p>`}
${openProblems(recorder.incidents.open, isPublic)}
${filterForm(filter, names)}${!isPublic && settings.token !== undefined && maintenanceForm(filter)}
${scenarioSections(environments, filter, (views) => board.filled(views, now))}
${pastIncidents(recorder.incidents.all, recorder.calendar.planned(now), isPublic)}
${formula()}`;
      return framed({ title: headline, body, now });
    },
    async scenario(environment: string, title: string, isPublic: boolean, range: string): Promise<string | undefined> {
      const { edition } = recorder;
      const now = Date.now();
      const found = board.find(environment, title);
      if (!found) return undefined;
      const [view = found] = board.filled([found], now);
      const { known } = view;
      const chosen = ranges.find(({ name }) => name === range) ?? ranges[0];
      const body = await scenarioPage(recorder.db, {
        view,
        range: chosen,
        slo: settings.slo,
        now,
        isPublic,
        announced: recorder.calendar.of([known.environment], now - chosen.ms),
      });
      return framed({ title: `${known.title} · ${known.environment}`, body, now, edition, depth: 3 });
    },
    /** `problem`: why what somebody sent was not taken. */
    incident(id: number, isPublic: boolean, problem?: string): string | undefined {
      const { incidents, scenarios, calendar } = recorder;
      const now = Date.now();
      const incident = incidents.get(id);
      if (!incident) return undefined;
      const environments = environmentsOf(incident.hits);
      const announced = calendar
        .of(environments, incident.since - ANNOUNCED_MS)
        .filter(({ start }) => start <= (incident.until ?? now));
      const story = incidentStory(recorder.db, incident, ({ scenario }) => scenarios.find(scenario)?.id, announced);
      const body = incidentPage({
        story,
        likelyCause: isPublic ? undefined : likelyCause(story, scenarios.monitored, guessCause),
        isPublic,
        lastedMs: incident.lastedMs(recorder.steady(now)),
        isWritable: settings.token !== undefined,
        problem,
      });
      return framed({ title: `Incident · ${environmentsText(environments)}`, body, now, depth: 2 });
    },
    /** Records what somebody did about an incident; returns the problem with what they sent, if any. */
    handle(id: number, form: URLSearchParams): string | undefined {
      const incident = recorder.incidents.get(id);
      const event = incident && eventOf(form, incident.until === undefined, Date.now());
      if (!event || typeof event === 'string') return event;
      recorder.handle(id, event);
      return undefined;
    },
    feed(isPublic: boolean): string {
      const { incidents, db } = recorder;
      return atomFeed({
        incidents: incidents.all,
        instance: db.instance,
        pageUrl: monitor.pageUrl,
        isPublic,
        now: Date.now(),
      });
    },
    status(): string {
      const now = Date.now();
      return statusJson(board.environments(now), monitor, now);
    },
    /** `staging.svg`, `staging/block-then-list.svg`, or with a title. */
    badge(path: string): PageResponse | undefined {
      const [, environment = '', , name] = /^([\w-]+)(\/(.+))?\.svg$/.exec(path) ?? [];
      const now = Date.now();
      const view = name === undefined ? undefined : board.find(environment, name);
      const found = board.environments(now).find((one) => one.name === environment);
      if (!found || (name !== undefined && !view)) return undefined;
      const scenarios = board.filled(view ? [view] : found.scenarios, now);
      const months = scenarios.flatMap(({ figures }) => figures?.month ?? []);
      const mean = (of: 'observedMs' | 'downMs' | 'withoutData') =>
        months.reduce((sum, month) => sum + month[of], 0) / months.length;
      const [observedMs, downMs, withoutData] = [mean('observedMs'), mean('downMs'), mean('withoutData')];
      const shown = worstOf(scenarios);
      const word = states[shown].word.toLowerCase();
      const text = uptimeText({ ratio: 1 - downMs / observedMs, downMs, observedMs, withoutData });
      const value = observedMs > 0 ? `${word}, ${text}${withoutData > 0.5 ? '' : ' in 30 d'}` : word;
      return typed('image/svg+xml', badge(view ? view.known.title : environment, value, shown));
    },
  };
}

const assets: Readonly<Record<string, string>> = {
  'page.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'follow.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** What the pages are made with, read once. */
export function assetRoutes(): Route[] {
  return Object.entries(assets).map(([name, type]) => {
    const content = readFileSync(join(import.meta.dirname, '..', 'assets', name));
    const path = new RegExp(`^/assets/${name.replace('.', '\\.')}$`);
    return { method: 'GET', path, reply: () => ({ headers: { 'content-type': type }, body: content }) };
  });
}
