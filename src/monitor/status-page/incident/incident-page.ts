import { gradeTable, verdicts } from '../../../client/index.ts';
import { counted } from '../../../config/index.ts';
import { verdictText } from '../../alerting/notice-lines.ts';
import { environmentsOf, environmentsText, familyTexts, incidentTitle, leaveText } from '../../alerting/wording.ts';
import type { Announced, IncidentStory } from '../../history/incidents.ts';
import type { KnownScenario } from '../../history/scenarios.ts';
import { familyOf } from '../../status/cause.ts';
import type { FailedScenario, Flip, GuessCause } from '../../status/flip.ts';
import type { Handling, IncidentEvent } from '../../status/handling.ts';
import type { Incident, Member } from '../../status/incident.ts';
import { durationText } from '../../status/texts.ts';
import { addressOf } from '../filter.ts';
import { moment } from '../format.ts';
import { html, type Markup } from '../html.ts';
import { failingCall, state } from '../parts.ts';
import { scenarioPath, states } from '../view.ts';
import { type IncidentFormInput, incidentActions, incidentForm } from './incident-form.ts';

interface IncidentPageInput extends Omit<IncidentFormInput, 'incident'> {
  readonly story: IncidentStory;
  readonly likelyCause?: string | undefined;
  /** States only: no reasons, addresses and names. */
  readonly isPublic: boolean;
  /** How long it has lasted, or did; in ms. */
  readonly lastedMs: number;
}

type Evidence = IncidentStory['evidence'][number];

/** Scenarios with evidence; the others are listed. */
const MOST_EVIDENCE = 5;

/** Up to so many environments, the scenarios of each are unfolded. */
const UNFOLDED = 4;

/** Environments with their scenarios; the others are links. */
const LISTED = 20;

const MOST_LINES = 50;

export function incidentPage({ story, likelyCause, isPublic, lastedMs, ...form }: IncidentPageInput): Markup {
  const { incident, evidence } = story;
  const { since, until } = incident;
  const environments = environmentsOf(incident.hits);
  const named = environmentsText(environments);
  return html`<p class="crumbs"><a href="/">Status</a> › <a href="/#incidents">Incidents</a> › ${named}</p>
<h1 class="banner ${until === undefined ? familyOf(incident.cause) : 'up'}">${incidentState(incident)} <span class="title">${isPublic ? named : incidentTitle(incident)}</span></h1>
<p>${named}: ${moment(since)} to ${until === undefined ? 'now' : moment(until)}, ${durationText(lastedMs)}</p>
${!isPublic && beganText(story)}${!isPublic && html`${handlingText(incident.handling)}${incidentActions({ incident, ...form })}`}
${!isPublic && likelyCause && html`<section><h2>Likely cause</h2><p>${likelyCause}</p></section>`}
<section><h2>Scenarios</h2>${scenarioList(incident)}</section>
${!isPublic && html`<section><h2>Evidence</h2>${evidence.slice(0, MOST_EVIDENCE).map((one) => evidenceOf(one, environments.length > 1))}</section>`}
<section><h2>Timeline</h2><ol class="timeline">${timelineOf(story, isPublic).map(({ at, text }) => html`<li>${moment(at)}: ${text}</li>`)}</ol></section>
${!isPublic && incidentForm({ incident, ...form })}`;
}

/** What was announced of its environments just before it began: `Began 40 s after release 41.` */
function beganText({ incident, announced }: IncidentStory): Markup | undefined {
  const last = announced.findLast(({ start, why }) => start <= incident.since && why !== '');
  return last && html`<p>Began ${durationText(incident.since - last.start)} after ${last.why}.</p>`;
}

export function incidentState({ until, cause }: Pick<Incident, 'until' | 'cause'>): Markup {
  return until === undefined ? state(familyOf(cause), 'Open') : state('up', 'Resolved');
}

export function handlingText({ acknowledged }: Handling): Markup {
  return html`<p class="facts">${acknowledged ? html`Acknowledged by ${acknowledged.person}, ${moment(acknowledged.at)}.` : 'Not acknowledged.'}</p>`;
}

function scenarioList(incident: Incident): Markup {
  const environments = environmentsOf(incident.hits);
  const { members } = incident;
  if (environments.length < 2) return scenarioLines(members);
  const byEnvironment = Map.groupBy(members, ({ hit }) => hit.scenario.environment);
  return html`${environments.map((name, index) => {
    const of = byEnvironment.get(name) ?? [];
    const open = of.filter(({ leave }) => !leave).length;
    const part = html`<span class="counts">${partText(incident, of.length, open)}</span>`;
    if (index >= LISTED)
      return html`<p class="part"><a href="${addressOf({ environment: name })}">${name}</a> ${part}</p>`;
    return html`<details class="part"${environments.length <= UNFOLDED && html` open`}><summary>${name} ${part}</summary>${scenarioLines(of)}</details>`;
  })}`;
}

function scenarioLines(members: readonly Member[]): Markup {
  const more = members.length - MOST_LINES;
  return html`<ul>${members
    .slice(0, MOST_LINES)
    .map(
      ({ hit: { scenario, since }, leave }) =>
        html`<li><a href="${scenarioPath(scenario)}">${scenario.title}</a> since ${moment(since)}${leave && `, ${leaveText(leave)}`}</li>`,
    )}${more > 0 && html`<li>and ${more} more</li>`}</ul>`;
}

function partText({ until, cause }: Pick<Incident, 'until' | 'cause'>, count: number, open: number): string {
  const isOver = until !== undefined;
  if (isOver) return counted(count, 'scenario');
  const word = states[familyOf(cause)].word.toLowerCase();
  return `${open === count ? '' : `${open} of `}${counted(count, 'scenario')} ${word}`;
}

function evidenceOf({ hit, failure }: Evidence, isShared: boolean): Markup {
  const { scenario, verdict, grade, reason, curl } = hit;
  return html`<h3>${isShared && `${scenario.environment}: `}${scenario.title}</h3><p>${verdictText(verdict, grade, reason)}${reason && `: ${reason}`}</p>
${failure?.exchange && failingCall(failure.exchange)}${curl && html`<pre tabindex="0"><code>${curl}</code></pre>`}`;
}

/** What probably broke, judged by the evidence of an incident. */
export function likelyCause(
  { incident, evidence }: IncidentStory,
  monitored: readonly KnownScenario[],
  guess: GuessCause,
): string | undefined {
  const failed = evidence.filter(({ hit }) => verdicts[hit.verdict].fellShort === 'behaviour').map(failedScenario);
  if (failed.length === 0) return undefined;
  const environments = environmentsOf(incident.hits);
  const ran = monitored.filter(({ environment, standing }) => environments.includes(environment) && standing.judged);
  return guess(failed, [...new Set(ran.map(({ title }) => title))]);
}

function failedScenario({ hit, failure }: Evidence): FailedScenario {
  const { answer, failure: broken } = failure?.exchange ?? {};
  const title = hit.scenario.title;
  if (failure?.grade && !gradeTable[failure.grade].isDrilled) return { title };
  const operation = failure?.exchange ? { operation: failure.exchange.operation } : {};
  if (answer) return { title, ...operation, ending: { status: answer.status, text: answer.body.text } };
  return { title, ...operation, ...(broken ? { ending: { phase: broken.phase } } : {}) };
}

/** Changes of each kind; a host that many environments share can take thousands of scenarios with it. */
const MOST_CHANGES = 50;

/** What happened in an incident, in order of time. A public page shows neither reasons nor people. */
export function timelineOf({ incident, notices, events, announced }: IncidentStory, isPublic: boolean) {
  const { hits, leaves } = incident;
  const isShared = environmentsOf(hits).length > 1;
  const nameOf = ({ scenario }: Flip) => `${isShared ? `${scenario.environment}: ` : ''}"${scenario.title}"`;
  const hitText = (hit: Flip) =>
    `${nameOf(hit)} ${familyTexts[familyOf(hit.cause)].began}${hit.reason && !isPublic ? ` — ${hit.reason}` : ''}`;
  const entries = [
    ...fewOf(hits, hitText, familyTexts[familyOf(incident.cause)].began),
    ...fewOf(leaves, (leave) => `${nameOf(leave)} ${leaveText(leave)}`, 'left it'),
    ...(isPublic ? [] : notices.map((notice) => ({ at: notice.at, text: noticeText(notice) }))),
    ...(isPublic ? [] : announced.flatMap(announcedEntries)),
    ...(isPublic ? [] : events.map((event) => ({ at: event.at, text: eventText(event) }))),
  ];
  return entries.sort((a, b) => a.at - b.at);
}

/** The first changes, and one entry that counts those after them. */
function fewOf(flips: readonly Flip[], textOf: (flip: Flip) => string, what: string) {
  const shown = flips.slice(0, MOST_CHANGES).map((flip) => ({ at: flip.at, text: textOf(flip) }));
  const further = flips.slice(MOST_CHANGES);
  const [last] = further.slice(-1);
  return last
    ? [...shown, { at: last.at, text: `${counted(further.length, 'more scenario')} ${what} by then` }]
    : shown;
}

function announcedEntries({ environment, start, until, why, person, endedBy }: Announced) {
  const began = { at: start, text: `${person} began maintenance of ${environment}${why && `: ${why}`}` };
  return endedBy === undefined
    ? [began]
    : [began, { at: until, text: `${endedBy} ended maintenance of ${environment}` }];
}

function noticeText({ kind, channels }: IncidentStory['notices'][number]): string {
  const names = channels.map(({ name, state }) => (state === 'sent' ? name : `${name} (${state})`));
  return `notice "${kind}" to ${names.join(', ')}`;
}

function eventText({ kind, person, text }: IncidentEvent): string {
  const deeds = { note: '', acknowledged: ' acknowledged it', reopened: ' took the acknowledgement back' };
  return `${person}${deeds[kind]}${text && `: ${text}`}`;
}
