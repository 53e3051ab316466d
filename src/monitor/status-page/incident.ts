import { counted } from '../../environment/index.ts';
import { acceptingLine, familyOf, html, type Markup } from '../../run/index.ts';
import { excerpt } from '../../verdict/index.ts';
import { acceptingCommands } from '../alerting/notice.ts';
import { verdictText } from '../alerting/notice-lines.ts';
import {
  beganText as enteredText,
  environmentsOf,
  environmentsText,
  incidentTitle,
  leaveText,
} from '../alerting/wording.ts';
import { incidentEvents, noticesOf } from '../history/incidents.ts';
import { firstFailure } from '../history/runs.ts';
import type { Monitor } from '../monitor.ts';
import type { Flip } from '../status/flip.ts';
import type { Incident, IncidentEvent, Member } from '../status/incident.ts';
import { durationText } from '../status/texts.ts';
import { failureDetails, handlingText, moment, state } from './components.ts';
import { scenarioPath } from './view.ts';

/** How many scenarios the page lists. It only counts further scenarios. */
const MOST_LINES = 100;

/** An announcement, for instance of a release, may explain an incident that begins later. Longest time between them, in ms. */
const ANNOUNCED_MS = 3_600_000;

/** How many scenarios are named next to a reason. The list of scenarios on the page names more of them. */
const NAMED = 4;

/** How many reasons are shown, each with a failing call. */
const MOST_EVIDENCE = 5;

type Shown = Pick<Monitor, 'recorder' | 'settings'>;
type Story = ReturnType<typeof storyOf>;

/** Everything that the history knows about one incident. */
function storyOf({ db, scenarios, calendar }: Monitor['recorder'], incident: Incident, now: number) {
  const { id, since, until = now, hits, latest } = incident;
  const announced = calendar.of(environmentsOf(hits), since - ANNOUNCED_MS).filter(({ start }) => start <= until);
  // If scenarios failed for the same reason, the page shows only one failing call for all of them.
  const alike = Map.groupBy(latest, ({ verdict, reason }) => `${verdict} ${reason}`).values();
  const evidence = [...alike].slice(0, MOST_EVIDENCE).map((hits) => {
    const [hit] = hits as [Flip, ...Flip[]];
    const known = scenarios.find(hit.scenario);
    return {
      hit,
      titles: hits.map(({ scenario }) => scenario.title),
      failure: known && firstFailure(db, known.id, hit.since),
    };
  });
  return { incident, announced, notices: noticesOf(db, id), events: incidentEvents(db, id), evidence };
}

/**
 * The page `/incidents/…`: the failure, the next steps for a person on call, and the timeline. A public page shows only states. It contains
 * no reasons, addresses or names of people.
 */
export function incidentPage({ recorder, settings }: Shown, incident: Incident, isPublic: boolean) {
  const now = Date.now();
  const story = storyOf(recorder, incident, now);
  const lastedMs = incident.lastedMs(recorder.steady(now));
  const { since, until, cause } = incident;
  const environments = environmentsOf(incident.hits);
  const named = environmentsText(environments);
  const body = html`<p class="crumbs"><a href="/">Status</a> › <a href="/#incidents">Incidents</a> › ${named}</p>
<h1 class="banner ${until === undefined ? familyOf(cause) : 'up'}">${until === undefined ? state(familyOf(cause), 'Open') : state('up', 'Resolved')} <span class="title">${isPublic ? named : incidentTitle(incident)}</span></h1>
<p>${named}: ${moment(since)} to ${until === undefined ? 'now' : moment(until)}, ${durationText(lastedMs)}</p>
${
  !isPublic &&
  html`<section><h2>Why</h2>${story.evidence.map((one) => reasonOf(one, environments.length > 1))}
${acceptingCommands(incident.open, recorder.incidents.allOpen)?.map((command) => html`<p>${acceptingLine(command)}</p>`)}</section>
${beganText(story)}${handlingText(incident)}${settings.token === undefined ? html`<p>Set TOKEN in the monitor's settings to acknowledge it, and to add notes.</p>` : handlingForm(incident)}
<section><h2>Failing calls</h2>${story.evidence.map(callOf)}</section>`
}
<section><h2>Scenarios</h2>${scenarioList(incident)}</section>
${!isPublic && html`<section><h2>Timeline</h2><ol class="timeline">${timelineOf(story).map(({ at, text }) => html`<li>${moment(at)}: ${text}</li>`)}</ol></section>`}`;
  return { title: `Incident · ${named}`, body };
}

/** Names the release or other work that was announced just before an incident began: `Began 40 s after release 41.` */
function beganText({ incident, announced }: Story): Markup | undefined {
  const last = announced.findLast(({ start, why }) => start <= incident.since && why !== '');
  return last && html`<p>Began ${durationText(incident.since - last.start)} after ${last.why}.</p>`;
}

/** The scenarios of the incident by environment; those that are still in it come first. */
function scenarioList({ members, cause }: Incident): Markup {
  const sorted = members.toSorted((a, b) => Number(a.leave !== undefined) - Number(b.leave !== undefined));
  const rest = sorted.length - MOST_LINES;
  const groups = Map.groupBy(sorted.slice(0, MOST_LINES), ({ hit }) => hit.scenario.environment);
  const began = enteredText(cause);
  const line = ({ hit: { scenario, since }, leave }: Member) =>
    html`<li><a href="${scenarioPath(scenario)}">${scenario.title}</a> ${began} ${moment(since)}${leave && `, ${leaveText(leave)}`}</li>
`;
  return html`${[...groups].map(([name, of]) => html`${groups.size > 1 && html`<h3>${name}</h3>`}<ul>${of.map(line)}</ul>`)}${rest > 0 && html`<p>and ${counted(rest, 'more scenario')}</p>`}`;
}

type Evidence = Story['evidence'][number];

/**
 * Maximum length of a reason above the form, in characters. It is short, so that a person on call sees the button to acknowledge the
 * incident without scrolling.
 */
const LONGEST_REASON = 200;

function reasonOf({ hit, titles }: Evidence, isShared: boolean): Markup {
  const { scenario, verdict, grade, reason } = hit;
  const all = [...new Set(titles)];
  const named = all.slice(0, NAMED).join('; ') + (all.length > NAMED ? ` and ${all.length - NAMED} more` : '');
  return html`<p><b>${verdictText(verdict, grade, reason)}</b>${reason && `: ${excerpt(reason, LONGEST_REASON)}`}</p>
<p class="facts">${isShared && `${scenario.environment}: `}${named}</p>`;
}

function callOf({ hit: { reason = '', curl }, failure }: Evidence): Markup {
  return html`${reason.length > LONGEST_REASON && html`<p>${reason}</p>`}
${failureDetails({ ...failure, ...(curl === undefined ? {} : { curl }) })}`;
}

/** Actions of people and of the monitor, in order of time. */
function timelineOf({ incident, notices, events, announced }: Story) {
  const { since, until } = incident;
  const deeds = { note: '', acknowledged: ' acknowledged it', reopened: ' withdrew the acknowledgement' };
  const entries = [
    { at: since, text: 'the first failure' },
    ...notices.map(({ at, kind, channels }) => {
      const names = channels.map(({ name, state: came }) => (came === 'sent' ? name : `${name} (${came})`));
      return { at, text: `notice "${kind}" to ${names.join(', ')}` };
    }),
    ...announced.flatMap(({ environment, start, until: end, why, person, endedBy }) => [
      { at: start, text: `${person} began maintenance of ${environment}${why && `: ${why}`}` },
      ...(endedBy === undefined ? [] : [{ at: end, text: `${endedBy} ended maintenance of ${environment}` }]),
    ]),
    ...events.map(({ at, kind, person, text }) => ({ at, text: `${person}${deeds[kind]}${text && `: ${text}`}` })),
    ...(until === undefined ? [] : [{ at: until, text: 'the last recovery' }]),
  ];
  return entries.sort((a, b) => a.at - b.at);
}

const LONGEST_NAME = 80;
const LONGEST_NOTE = 1_000;

/** The form for the first steps of a person on call: acknowledge the incident, perhaps with a note. A resolved incident accepts only notes. */
function handlingForm({ id, until, acknowledged }: Incident): Markup {
  const [kind, text] = acknowledged ? ['reopened', 'Withdraw acknowledgement'] : ['acknowledged', 'Acknowledge'];
  return html`<form class="handling" method="post" action="/incidents/${id}">
<label>Your name <input name="person" autocomplete="name" maxlength="${LONGEST_NAME}" required></label>
<label>Note <textarea name="text" maxlength="${LONGEST_NOTE}" rows="2"></textarea></label>
<div>${until === undefined && html`<button name="kind" value="${kind}">${text}</button> `}<button name="kind" value="note">Add note</button></div></form>`;
}

/** Converts a submitted form to an event, or returns a sentence about the problem with its fields. `now` is an epoch, in ms. */
export function eventOf(form: URLSearchParams, isOpen: boolean, now: number): IncidentEvent | string {
  const [person = '', text = '', kind] = ['person', 'text', 'kind'].map((name) => form.get(name)?.trim());
  if (person === '' || person.length > LONGEST_NAME) return `Enter your name, of at most ${LONGEST_NAME} characters.`;
  if (text.length > LONGEST_NOTE || (kind === 'note' && text === ''))
    return `Enter a note of at most ${LONGEST_NOTE} characters.`;
  const event = { at: now, person, text };
  if (kind === 'note') return { ...event, kind };
  if (!isOpen) return 'This incident is resolved: only notes can be added.';
  return kind === 'acknowledged' || kind === 'reopened' ? { ...event, kind } : 'Choose what to do.';
}
