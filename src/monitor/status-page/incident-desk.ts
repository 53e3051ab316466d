import { incidentStory } from '../history/incident-story.ts';
import type { RunRecorder } from '../run-recorder.ts';
import type { Incident } from '../status/incident.ts';
import { eventOf } from './incident-form.ts';
import { incidentPage } from './incident-page.ts';
import { layout } from './layout.ts';

export interface IncidentDeskOptions {
  readonly recorder: RunRecorder;
  readonly isWritable: boolean;
  /** What probably broke, in a sentence; `undefined` where nothing agrees with the evidence. */
  readonly likelyCause: (incident: Incident) => string | undefined;
  /** Epoch, in ms. */
  readonly now: () => number;
  /** The id of the last event that was sent to open pages. */
  readonly lastEvent: () => string;
}

/** Shows one incident, and takes what people do about it. */
export class IncidentDesk {
  readonly #options: IncidentDeskOptions;

  constructor(options: IncidentDeskOptions) {
    this.#options = options;
  }

  page(id: number, isPublic: boolean, problem?: string): string[] | undefined {
    const { recorder, isWritable, likelyCause, lastEvent } = this.#options;
    const [now, last] = [this.#options.now(), lastEvent()];
    const found = recorder.incident(id);
    if (!found) return undefined;
    const { incident, handling } = found;
    const likely = isPublic ? undefined : likelyCause(incident);
    const body = incidentPage({
      story: incidentStory(recorder.db, incident, ({ scenario }) => recorder.idOf(scenario)),
      handling,
      ...(likely === undefined ? {} : { likelyCause: likely }),
      now,
      isPublic,
      isWritable,
      ...(problem === undefined ? {} : { problem }),
    });
    return layout({
      title: `Incident · ${incident.environment} · Sextant`,
      body: [body],
      path: 'other',
      now,
      follows: { last },
    });
  }

  /** Records what a form sent; gives the problem with it, if any. */
  take(id: number, form: URLSearchParams): string | undefined {
    const { recorder, now } = this.#options;
    const found = recorder.incident(id);
    if (!found) return undefined;
    const event = eventOf(form, found.incident.until === undefined, now());
    if (typeof event === 'string') return event;
    recorder.handle(id, event);
    return undefined;
  }
}
