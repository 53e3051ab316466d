import { join } from 'node:path';
import { parsedJson, redact } from '../client/index.ts';
import { fileRoles, readTextIfAny, remove, replaceText } from '../config/files/index.ts';
import type { Environment } from '../config/index.ts';
import { outputFolder } from '../scenario/index.ts';
import { areaIds } from '../spec/index.ts';
import type { Fact } from './facts/fact.ts';
import { Samples } from './inference/samples.ts';

export interface SurveyProgressState {
  readonly startedAt: string;
  requests: number;
  readonly facts: Fact[];
  readonly samples: Samples;
}

interface Kept extends Omit<SurveyProgressState, 'samples'> {
  readonly target: string;
  readonly samples: ConstructorParameters<typeof Samples>[0];
}

/** Older results may be outdated: the survey starts again. In ms. */
const KEEPS_MS = 24 * 3_600_000;

/** Stores an unfinished survey, so that the same command resumes it. */
export class ProgressFile {
  readonly path: string;
  readonly #target: string;

  constructor(environment: Environment, folder = join(outputFolder(), 'survey')) {
    this.path = join(folder, `${environment.name}.progress.json`);
    const { clientId, userId } = environment.caller;
    this.#target = JSON.stringify([areaIds.map((area) => environment.addresses[area].href), clientId, userId]);
  }

  /** The stored results, if they are of the same service and recent enough; otherwise a fresh start. `now` is an epoch, in ms. */
  read(now: number): SurveyProgressState {
    const fresh = { startedAt: new Date(now).toISOString(), requests: 0, facts: [], samples: new Samples() };
    // A partial file is ignored.
    const kept = parsedJson(readTextIfAny(this.path, fileRoles.surveyProgress)) as Kept | null | undefined;
    const isUsable = kept?.target === this.#target && now - Date.parse(kept.startedAt) < KEEPS_MS;
    if (!isUsable || !Array.isArray(kept.facts)) return fresh;
    const { startedAt, requests, facts } = kept;
    return { startedAt, requests, facts, samples: new Samples(kept.samples) };
  }

  write(progress: SurveyProgressState): void {
    replaceText(this.path, redact(JSON.stringify({ target: this.#target, ...progress })), fileRoles.surveyProgress);
  }

  remove(): void {
    remove(this.path, fileRoles.surveyProgress);
  }
}
