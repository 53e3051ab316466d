import { join } from 'node:path';
import { factKey, type LearnedFact, type LearnedFacts } from '../../client/index.ts';
import type { Problem } from '../configuration-error.ts';
import { fileRoles, readTextIfAny } from '../files/index.ts';
import { shown } from '../files/shown.ts';
import { workFolder } from '../project-root.ts';

/** The answer of an undecided question. */
const UNDECIDED = 'undecided';

/** The folder of surveys: `surveys`, or SEXTANT_SURVEYS. */
export function surveysFolder(process_: Readonly<Record<string, string | undefined>> = process.env): string {
  return process_.SEXTANT_SURVEYS ?? join(workFolder, 'surveys');
}

/** The decided facts of a survey file; `undefined` if there is none. An unusable file is a problem. */
export function readFacts(path: string): { facts?: LearnedFacts; problems: Problem[] } {
  const text = readTextIfAny(path, fileRoles.survey);
  if (text === undefined) return { problems: [] };
  const facts = parse(text);
  if (!facts) {
    const problem =
      'are not in the format of `sextant survey`; restore the file from the repository, or run the survey again';
    return { problems: [{ file: shown(path), key: 'facts', text: problem }] };
  }
  const decided = facts.filter(({ answer }) => answer !== UNDECIDED);
  return { facts: new Map(decided.map((fact) => [factKey(fact.operation, fact.question), fact])), problems: [] };
}

function parse(text: string): readonly LearnedFact[] | undefined {
  try {
    const found = JSON.parse(text) as { readonly facts?: unknown } | null;
    if (!Array.isArray(found?.facts) || !found.facts.every(isFact)) return undefined;
    return found.facts.map((fact) => ({ observedAt: '', evidence: [], ...fact }));
  } catch {
    return undefined;
  }
}

/** Date and evidence are only for messages; a fact doesn't need them. */
function isFact(
  value: unknown,
): value is Pick<LearnedFact, 'operation' | 'question' | 'answer'> & Partial<LearnedFact> {
  if (typeof value !== 'object' || value === null) return false;
  const { operation, question, answer } = value as Readonly<Record<string, unknown>>;
  return [operation, question, answer].every((text) => typeof text === 'string');
}
