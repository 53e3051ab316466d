import { gradeTable, verdicts } from '../../../client/index.ts';
import { environmentsText } from '../../alerting/headline.ts';
import { type Evidence, type IncidentStory, incidentStory } from '../../history/incident-story.ts';
import type { RunRecorder } from '../../recording/run-recorder.ts';
import type { FailedScenario, GuessCause } from '../../status/cause.ts';
import { durationText } from '../../status/duration-text.ts';
import { extentOf } from '../../status/extent.ts';
import { layout } from '../layout.ts';
import { eventOf } from './incident-form.ts';
import { incidentPage } from './incident-page.ts';

interface IncidentDeskOptions {
  readonly recorder: RunRecorder;
  readonly isWritable: boolean;
  readonly guessCause: GuessCause;
  /** Epoch, in ms. */
  readonly now: () => number;
}

/** A deploy longer ago explains nothing. */
const ANNOUNCED_MS = 3_600_000;

/** Shows one incident, and takes what people do about it. */
export class IncidentDesk {
  readonly #options: IncidentDeskOptions;

  constructor(options: IncidentDeskOptions) {
    this.#options = options;
  }

  page(id: number, isPublic: boolean, problem?: string): string | undefined {
    const { recorder, isWritable } = this.#options;
    const now = this.#options.now();
    const incident = recorder.incidents.get(id);
    if (!incident) return undefined;
    const handling = recorder.incidents.handling(id);
    const announced = recorder.calendar
      .of(extentOf(incident.hits).environments, incident.since - ANNOUNCED_MS)
      .filter(({ start }) => start <= (incident.until ?? now));
    const story = incidentStory(
      recorder.db,
      incident,
      ({ scenario }) => recorder.scenarios.find(scenario)?.id,
      announced,
    );
    const likely = isPublic ? undefined : this.#likelyCause(story);
    const body = incidentPage({
      story,
      handling,
      ...(likely === undefined ? {} : { likelyCause: likely }),
      ...this.#began(story),
      now,
      isPublic,
      isWritable,
      ...(problem === undefined ? {} : { problem }),
    });
    return layout({
      title: `Incident · ${environmentsText(extentOf(incident.hits).environments)} · Sextant`,
      body,
      path: 'other',
      now,
      edition: recorder.edition,
    });
  }

  /** Records what a form sent; returns the problem with it, if any. */
  take(id: number, form: URLSearchParams): string | undefined {
    const { recorder, now } = this.#options;
    const incident = recorder.incidents.get(id);
    if (!incident) return undefined;
    const event = eventOf(form, incident.until === undefined, now());
    if (typeof event === 'string') return event;
    recorder.handle(id, event);
    return undefined;
  }

  /** What was announced of its environments just before it began. */
  #began({ incident, announced }: IncidentStory): { began?: string } {
    const last = announced.findLast(({ start, why }) => start <= incident.since && why !== '');
    return last ? { began: `${durationText(incident.since - last.start)} after ${last.why}` } : {};
  }

  #likelyCause({ incident, evidence }: IncidentStory): string | undefined {
    const { recorder, guessCause } = this.#options;
    const failed = evidence.filter(({ hit }) => verdicts[hit.verdict].fellShort === 'behaviour').map(failedScenario);
    if (failed.length === 0) return undefined;
    const { environments } = extentOf(incident.hits);
    const ran = recorder.scenarios.monitored.filter(
      ({ environment, standing }) => environments.includes(environment) && standing.judged,
    );
    return guessCause(failed, [...new Set(ran.map(({ title }) => title))]);
  }
}

function failedScenario({ hit, failure }: Evidence): FailedScenario {
  const { answer, failure: broken } = failure?.exchange ?? {};
  const title = hit.scenario.title;
  if (failure?.grade && !gradeTable[failure.grade].isDrilled) return { title };
  const operation = failure?.exchange ? { operation: failure.exchange.operation } : {};
  if (answer) return { title, ...operation, ending: { status: answer.status, text: answer.body.text } };
  return { title, ...operation, ...(broken ? { ending: { phase: broken.phase } } : {}) };
}
