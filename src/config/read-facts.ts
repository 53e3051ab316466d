import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from './configuration-error.ts';
import { shown } from './folder.ts';
import { projectRoot } from './project-root.ts';

/** What a survey found of one question about one operation; see `surveys/<environment>.json`. */
export interface LearnedFact {
  readonly operation: string;
  readonly question: string;
  readonly answer: string;
}

/** Where surveys are kept; SEXTANT_SURVEYS names another folder than `surveys`. */
export function surveysFolder(process_: Readonly<Record<string, string | undefined>> = process.env): string {
  return process_.SEXTANT_SURVEYS ?? join(projectRoot, 'surveys');
}

/** The facts of an environment's survey; a file that can't be used is a problem, never silently left out. */
export function readFacts(path: string): {
  readonly facts: readonly LearnedFact[];
  readonly problems: readonly Problem[];
} {
  if (!existsSync(path)) return { facts: [], problems: [] };
  const facts = factsIn(readFileSync(path, 'utf8'));
  if (facts) return { facts, problems: [] };
  const text = 'are not what `sextant survey` writes; take the file from the repository again, or survey anew';
  return { facts: [], problems: [{ file: shown(path), key: 'facts', text }] };
}

function factsIn(text: string): LearnedFact[] | undefined {
  try {
    const { facts } = JSON.parse(text) as { facts?: unknown };
    return Array.isArray(facts) && facts.every(isFact) ? facts : undefined;
  } catch {
    return undefined;
  }
}

function isFact(value: unknown): value is LearnedFact {
  if (typeof value !== 'object' || value === null) return false;
  const { operation, question, answer } = value as Record<string, unknown>;
  return [operation, question, answer].every((part) => typeof part === 'string');
}
