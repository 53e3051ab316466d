import type { Incident } from '../status/incident.ts';
import { problemOf } from './open-problems.ts';

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
