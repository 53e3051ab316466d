import type { Observer } from '../../client/index.ts';
import { type Asked, type Environment, readingOf } from '../../config/index.ts';
import { type RunLog, runLog } from '../state/run-log.ts';
import { type Finding, findingText } from './finding.ts';

/** The known readings in one scenario. */
export class Readings {
  readonly #environment: Environment;
  readonly #observer: Observer;
  readonly #found: RunLog<Finding>;

  constructor(environment: Environment, runId: string, observer: Observer) {
    this.#environment = environment;
    this.#observer = observer;
    this.#found = findingLog(runId, environment.name);
  }

  /** The readings from keys or a survey, which expectations follow. */
  known(asked: Asked): { readonly reading: string; readonly source: string } | undefined {
    return readingOf(this.#environment.readings ?? [], asked);
  }

  /** The reading that is known, or was found earlier in this run. */
  of(asked: Asked): string | undefined {
    return this.known(asked)?.reading ?? this.#earlier(asked)?.reading;
  }

  /** Remembers a reading for the run, and has it reported. */
  find(finding: Finding): void {
    if (this.of(finding) === finding.reading) return;
    this.#found.add(finding);
    this.#observer.noted?.({ kind: 'found', text: findingText(finding) });
  }

  #earlier({ question, header, operation }: Asked): Finding | undefined {
    return this.#found
      .all()
      .findLast(
        (found) =>
          found.question === question &&
          found.header === header &&
          (found.operation === undefined || found.operation === operation),
      );
  }
}

/** The readings that a run found; the last one for a question counts. */
export function findingsOf(runId: string, environment: string): Finding[] {
  const all = findingLog(runId, environment).all();
  return [...new Map(all.map((finding) => [subjectOf(finding), finding])).values()];
}

function findingLog(runId: string, environment: string): RunLog<Finding> {
  return runLog(runId, environment, 'found');
}

function subjectOf({ question, header, operation }: Finding): string {
  return JSON.stringify([question, header, operation]);
}
