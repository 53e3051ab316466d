import { join } from 'node:path';
import { factKey, type LearnedFact, type LearnedFacts } from '../client/index.ts';
import type { Problem } from './configuration-error.ts';
import { fileRoles, readTextIfAny } from './files/index.ts';
import { shown } from './files/shown.ts';
import { projectRoot } from './project-root.ts';

/** What stands for an answer where a survey decided nothing. */
const UNDECIDED = 'undecided';

/** Where surveys are kept; SEXTANT_SURVEYS names another folder than `surveys`. */
export function surveysFolder(process_: Readonly<Record<string, string | undefined>> = process.env): string {
  return process_.SEXTANT_SURVEYS ?? join(projectRoot, 'surveys');
}

/** The decided facts of a survey's file; `undefined` where there is none. One that can't be used is a problem. */
export function readFacts(path: string): { facts?: LearnedFacts; problems: Problem[] } {
  const text = readTextIfAny(path, fileRoles.survey);
  if (text === undefined) return { problems: [] };
  const facts = parse(text);
  if (!facts) {
    const problem = 'are not what `sextant survey` writes; take the file from the repository again, or survey anew';
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

/** The date and the evidence are only told; a fact may stand without them. */
function isFact(
  value: unknown,
): value is Pick<LearnedFact, 'operation' | 'question' | 'answer'> & Partial<LearnedFact> {
  if (typeof value !== 'object' || value === null) return false;
  const { operation, question, answer } = value as Readonly<Record<string, unknown>>;
  return [operation, question, answer].every((text) => typeof text === 'string');
}
