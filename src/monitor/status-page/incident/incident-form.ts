import type { IncidentEvent } from '../../status/handling.ts';
import type { Incident } from '../../status/incident.ts';
import { html, type Markup } from '../html.ts';

/** Environments of one incident that a button begins maintenance of; for more, there is the command line. */
const MOST_ENVIRONMENTS = 100;

export const LONGEST_NAME = 80;
const LONGEST_NOTE = 1_000;

export interface IncidentFormInput {
  readonly incident: Incident;
  /** Whether a token is set: without one, nothing can be written. */
  readonly isWritable: boolean;
  /** Why what somebody sent was not taken. */
  readonly problem?: string | undefined;
}

/** What somebody on call does first, above everything else: acknowledge, begin maintenance. */
export function incidentActions({ incident, isWritable, problem }: IncidentFormInput): Markup | undefined {
  if (!isWritable || incident.until !== undefined) return problem ? html`<p role="alert">${problem}</p>` : undefined;
  const open = new Set(incident.open.map(({ scenario }) => scenario.environment));
  const environments = [...open].slice(0, MOST_ENVIRONMENTS);
  return html`${problem && html`<p role="alert">${problem}</p>`}
<form class="handling actions" method="post" action="/incidents/${incident.id}"><input type="hidden" name="env" value="${environments.join(',')}"><input type="hidden" name="back" value="/incidents/${incident.id}"><input type="hidden" name="why" value="incident ${incident.id}">
<label>Your name ${nameInput()}</label>
${incident.handling.acknowledged ? button('reopened', 'Take back acknowledgement') : button('acknowledged', 'Acknowledge')}
<label>For <select name="for">${['1h', '4h', '1d', '7d'].map((time) => html`<option>${time}</option>`)}</select></label><button formaction="/maintenance/start">Maintenance now</button></form>`;
}

export function incidentForm({ incident, isWritable }: Pick<IncidentFormInput, 'incident' | 'isWritable'>): Markup {
  if (!isWritable)
    return html`<section><h2>Notes</h2><p>Set TOKEN in the monitor's settings to add notes, and to acknowledge.</p></section>`;
  return html`<section><h2>Notes</h2>
<form class="handling" method="post" action="/incidents/${incident.id}">
<label>Your name ${nameInput()}</label>
<label>Note <textarea name="text" maxlength="${LONGEST_NOTE}" rows="3"></textarea></label>
<button name="kind" value="note">Add note</button></form></section>`;
}

export function nameInput(): Markup {
  return html`<input name="person" autocomplete="name" maxlength="${LONGEST_NAME}" required>`;
}

function button(kind: IncidentEvent['kind'], text: string): Markup {
  return html`<button name="kind" value="${kind}">${text}</button>`;
}

/** What somebody did, from the fields that they sent; a text is the problem with them. `now` is an epoch, in ms. */
export function eventOf(form: URLSearchParams, isOpen: boolean, now: number): IncidentEvent | string {
  const [person = '', text = '', kind] = ['person', 'text', 'kind'].map((name) => form.get(name)?.trim());
  if (person === '') return 'Enter your name.';
  if (person.length > LONGEST_NAME) return `Enter a name of at most ${LONGEST_NAME} characters.`;
  if (text.length > LONGEST_NOTE) return `Enter a note of at most ${LONGEST_NOTE} characters.`;
  const event = { at: now, person, text };
  if (kind === 'note') return text === '' ? 'Enter a note.' : { ...event, kind };
  if (!isOpen) return 'This incident is resolved: only notes can be added.';
  return kind === 'acknowledged' || kind === 'reopened' ? { ...event, kind } : 'Choose what to do.';
}
