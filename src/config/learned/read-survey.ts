import { join } from 'node:path';
import {
  factKey,
  isObservedOperation,
  type LearnedFact,
  type LearnedFacts,
  type Observed,
  type ObservedOperation,
  parsedJson,
} from '../../client/index.ts';
import { fileRoles, listFolder, readText, readTextIfAny } from '../files/index.ts';
import { workFolder } from '../project-root.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The answer of an undecided question. */
const UNDECIDED = 'undecided';

/** The folder of surveys: `surveys`, or SEXTANT_SURVEYS. */
export function surveysFolder(env: Variables = process.env): string {
  return env.SEXTANT_SURVEYS ?? join(workFolder, 'surveys');
}

/** Where surveys leave the answers that they observed; SEXTANT_OBSERVED names another folder. */
export function observedFolder(environment: string, env: Variables = process.env): string {
  return join(env.SEXTANT_OBSERVED ?? join(workFolder, 'schemas', 'observed'), environment);
}

/** The decided facts of a survey file; `undefined` if there is none. An unusable file is a problem. */
export function readFacts(path: string, report: ReportOfFile): LearnedFacts | undefined {
  const text = readTextIfAny(path, fileRoles.survey);
  if (text === undefined) return undefined;
  const { facts } = (parsedJson(text) ?? {}) as { readonly facts?: unknown };
  if (!Array.isArray(facts) || !facts.every(isFact)) {
    report(path, 'facts', UNUSABLE);
    return undefined;
  }
  const decided = facts.filter(({ answer }) => answer !== UNDECIDED);
  const full = decided.map((fact): LearnedFact => ({ observedAt: '', evidence: [], ...fact }));
  return new Map(full.map((fact) => [factKey(fact.operation, fact.question), fact]));
}

/** The observed answers of an environment; a file that can't be used is a problem, never silently left out. */
export function readObserved(folder: string, report: ReportOfFile = () => {}): Observed {
  const observed = new Map<string, ObservedOperation>();
  const files = listFolder(folder, fileRoles.observed).filter((name) => name.endsWith('.json'));
  for (const file of files.sort()) {
    const path = join(folder, file);
    const found = parsedJson(readText(path, fileRoles.observed));
    if (isObservedOperation(found)) observed.set(found.operation, found);
    else report(path, 'answers', UNUSABLE);
  }
  return observed;
}

/** Takes a problem of a file. */
type ReportOfFile = (path: string, key: string, text: string) => void;

const UNUSABLE =
  'are not in the format of `sextant survey`; restore the file from the repository, or run the survey again';

/** Date and evidence are only for messages; a fact doesn't need them. */
function isFact(
  value: unknown,
): value is Pick<LearnedFact, 'operation' | 'question' | 'answer'> & Partial<LearnedFact> {
  const { operation, question, answer } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return [operation, question, answer].every((text) => typeof text === 'string');
}
