import { counted } from '../../../config/index.ts';
import { areaTitle } from '../../../spec/index.ts';
import { environmentsText, incidentTitle } from '../../alerting/headline.ts';
import { verdictText } from '../../alerting/notice-lines.ts';
import { extentOf } from '../../status/extent.ts';
import { gravestFirst } from '../../status/gravity.ts';
import { familyOf, type Incident, openHits } from '../../status/incident.ts';
import { scenarioPath } from '../view.ts';

/** An open incident as the status page shows it: the one place that turns incidents into what is on top of the page. */
export interface OpenProblem {
  readonly id: number;
  readonly title: string;
  readonly state: ReturnType<typeof familyOf>;
  /** Absent for readers who see states only. */
  readonly reason?: string;
  /** Repeats the failing call; absent for readers who see states only. */
  readonly curl?: string;
  readonly since: number;
  /** How many scenarios are in it. */
  readonly count: number;
  /** The first of them. */
  readonly scenarios: readonly { readonly title: string; readonly path: string }[];
  /** Where there is more about it. */
  readonly path: string;
}

/** Longest reason, in characters. */
const REASON = 220;
/** Longest call, in characters: a longer one is on the page of its incident. */
const CALL = 2_000;
const NAMED = 4;

/** Open incidents, those with most scenarios first, then the newest. */
export function openProblems(incidents: Iterable<Incident>, isPublic: boolean): OpenProblem[] {
  return [...incidents]
    .sort((a, b) => b.open.length - a.open.length || b.since - a.since || b.id - a.id)
    .map((incident) => problemOf(incident, isPublic));
}

export function problemOf(incident: Incident, isPublic: boolean): OpenProblem {
  const { id, since } = incident;
  const { environments } = extentOf(incident);
  const hits = gravestFirst(openHits(incident));
  const [first] = hits;
  const areas = [...new Set(hits.map(({ area }) => areaTitle(area)))];
  const where = areas.length > 3 ? counted(areas.length, 'area') : areas.join(', ');
  const reason = first && (first.reason ?? verdictText(first.verdict, first.grade, first.reason));
  return {
    id,
    title: isPublic
      ? `${environmentsText(environments)} · ${where}`
      : `${environmentsText(environments)}: ${incidentTitle(incident)}`,
    state: familyOf(incident.cause),
    since,
    count: hits.length,
    scenarios: hits.slice(0, NAMED).map(({ scenario }) => ({
      title: environments.length > 1 ? `${scenario.environment}: ${scenario.title}` : scenario.title,
      path: scenarioPath(scenario),
    })),
    path: `/incidents/${id}`,
    ...(reason && !isPublic ? { reason: reason.length > REASON ? `${reason.slice(0, REASON)}…` : reason } : {}),
    ...(first?.curl && !isPublic && first.curl.length <= CALL ? { curl: first.curl } : {}),
  };
}

/** An event of an incident carries at most this, in bytes of UTF-8. */
const MOST_BYTES = 900;

/** The longest reason of an event, in characters, where all of it is too much. */
const SHORT = 80;

/** What an open page needs to show an open incident; `open` is how many incidents are open. */
export function incidentEvent(incident: Incident, open: number, isPublic: boolean): object {
  const { curl, reason, ...problem } = problemOf(incident, isPublic);
  const whole = { open, ...problem, ...(reason === undefined ? {} : { reason }) };
  const withCall = curl === undefined ? whole : { ...whole, curl };
  if (sizeOf(withCall) <= MOST_BYTES) return withCall;
  if (sizeOf(whole) <= MOST_BYTES) return whole;
  const { title, scenarios } = problem;
  return {
    ...whole,
    title: title.slice(0, 2 * SHORT),
    scenarios: scenarios.slice(0, 1),
    ...(reason === undefined ? {} : { reason: `${reason.slice(0, SHORT)}…` }),
  };
}

function sizeOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
