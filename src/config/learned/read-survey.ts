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
import type { Problem } from '../configuration-error.ts';
import { fileRoles, listFolder, readText, readTextIfAny } from '../files/index.ts';
import { shown } from '../files/shown.ts';
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
export function readFacts(path: string): { facts?: LearnedFacts; problems: Problem[] } {
  const text = readTextIfAny(path, fileRoles.survey);
  if (text === undefined) return { problems: [] };
  const { facts } = (parsedJson(text) ?? {}) as { readonly facts?: unknown };
  if (!Array.isArray(facts) || !facts.every(isFact)) return { problems: [unusable(path, 'facts')] };
  const decided = facts.filter(({ answer }) => answer !== UNDECIDED);
  const full = decided.map((fact): LearnedFact => ({ observedAt: '', evidence: [], ...fact }));
  return { facts: new Map(full.map((fact) => [factKey(fact.operation, fact.question), fact])), problems: [] };
}

/** The observed answers of an environment; a file that can't be used is a problem, never silently left out. */
export function readObserved(folder: string): { observed: Observed; problems: Problem[] } {
  const observed = new Map<string, ObservedOperation>();
  const problems: Problem[] = [];
  const files = listFolder(folder, fileRoles.observed).filter((name) => name.endsWith('.json'));
  for (const file of files.sort()) {
    const path = join(folder, file);
    const found = parsedJson(readText(path, fileRoles.observed));
    if (isObservedOperation(found)) observed.set(found.operation, found);
    else problems.push(unusable(path, 'answers'));
  }
  return { observed, problems };
}

function unusable(path: string, key: string): Problem {
  const text =
    'are not in the format of `sextant survey`; restore the file from the repository, or run the survey again';
  return { file: shown(path), key, text };
}

/** Date and evidence are only for messages; a fact doesn't need them. */
function isFact(
  value: unknown,
): value is Pick<LearnedFact, 'operation' | 'question' | 'answer'> & Partial<LearnedFact> {
  const { operation, question, answer } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return [operation, question, answer].every((text) => typeof text === 'string');
}
