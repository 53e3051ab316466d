import { join } from 'node:path';
import { parsedJson, redact } from '../client/index.ts';
import { fileRoles, readTextIfAny, remove, replaceText } from '../config/files/index.ts';
import type { Environment } from '../config/index.ts';
import { outputFolder } from '../scenario/index.ts';
import { areaIds } from '../spec/index.ts';
import { type Fact, isOfRefusal } from './facts/fact.ts';
import { type Samples, samplesFrom } from './inference/samples.ts';

export interface SurveyProgressState {
  readonly startedAt: string;
  requests: number;
  readonly facts: Fact[];
  /** How many of the facts were thought over: at the end of an operation, its valid request was still accepted. */
  thoughtOver: number;
  readonly samples: Samples;
}

interface Kept extends Omit<SurveyProgressState, 'samples'> {
  readonly target: string;
  readonly samples: Parameters<typeof samplesFrom>[0];
}

/** Older results may be outdated: the survey starts again. In ms. */
const KEEPS_MS = 24 * 3_600_000;

export type ProgressFile = ReturnType<typeof progressFile>;

/** Stores an unfinished survey, so that the same command resumes it. */
export function progressFile({ name, caller, addresses }: Environment, folder = join(outputFolder(), 'survey')) {
  const path = join(folder, `${name}.progress.json`);
  const target = JSON.stringify([areaIds.map((area) => addresses[area].href), caller.clientId, caller.userId]);
  return {
    /**
     * The stored results, if they are of the same service and recent enough; otherwise a fresh start. What was refused in an operation that
     * wasn't finished is asked again: a credential may have expired. `now` is an epoch, in ms.
     */
    read: (now: number): SurveyProgressState => {
      // A partial file is ignored.
      const kept = parsedJson(readTextIfAny(path, fileRoles.output)) as Kept | null | undefined;
      const isUsable = kept?.target === target && now - Date.parse(kept.startedAt) < KEEPS_MS;
      if (!isUsable || !Array.isArray(kept.facts))
        return {
          startedAt: new Date(now).toISOString(),
          requests: 0,
          facts: [],
          thoughtOver: 0,
          samples: samplesFrom(),
        };
      const { startedAt, requests, thoughtOver = 0 } = kept;
      const facts = kept.facts.filter((fact, index) => index < thoughtOver || !isOfRefusal(fact));
      return { startedAt, requests, facts, thoughtOver, samples: samplesFrom(kept.samples) };
    },
    write: (progress: SurveyProgressState): void =>
      replaceText(path, redact(JSON.stringify({ target, ...progress })), fileRoles.output),
    remove: (): void => remove(path, fileRoles.output),
  };
}
