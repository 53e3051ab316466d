import type { Observer } from '../../client/index.ts';
import { type Asked, type Environment, readingOf } from '../../config/index.ts';
import { type RunLog, runLog } from '../run-log.ts';
import { type Finding, findingText } from './finding.ts';

/** What is known, in one scenario, of the questions that the specification leaves open. */
export class Readings {
  readonly #environment: Environment;
  readonly #observer: Observer;
  readonly #found: RunLog<Finding>;

  constructor(environment: Environment, runId: string, observer: Observer) {
    this.#environment = environment;
    this.#observer = observer;
    this.#found = findingLog(runId, environment.name);
  }

  /** What a team wrote down or a survey found: expectations follow it. */
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

/** What a run found out about an environment; the last word on a question counts. */
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
