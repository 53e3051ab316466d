import { isRecord, recordProblems } from '../http/json-record.ts';
import { type Fact, Facts } from './facts.ts';

/** A mistake in one fact of a file, or in the file as a whole. */
export interface FactProblem {
  /** The place in the file: `fact 3, repeat of report`. */
  readonly place: string;
  readonly text: string;
}

/** Checks a fact that has all fields. Returns its mistake; `undefined` if there is none. */
export type CheckFact = (fact: Fact) => string | undefined;

const fields = { question: 'text', operation: 'text', answer: 'text', evidence: 'text', askedAt: 'day' } as const;

/** Reads the text of a file of facts. Returns the facts, or all mistakes in the text. */
export function parseFacts(text: string, check: CheckFact): Facts | readonly FactProblem[] {
  const whole = (problem: string) => [{ place: 'facts', text: problem }];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser's message may quote the file with its line breaks, so only the position is taken from it.
    const [where = ''] = /at position \d+( \(line \d+ column \d+\))?/.exec((error as Error).message) ?? [];
    return whole(`are not JSON${where && `, ${where}`}; ${RESTORE}`);
  }
  const repeated = repeatedKeys(text);
  if (repeated.length > 0) return repeated;
  const { facts, ...others } = isRecord(value) ? value : {};
  if (!Array.isArray(facts)) return whole(`are missing: expected {"facts": […]}; ${RESTORE}`);
  const problems: FactProblem[] = Object.keys(others).map((name) => ({
    place: name,
    text: 'is not part of a file of facts; remove it',
  }));
  const linesByFact = new Map<string, number>();
  for (const [index, fact] of facts.entries()) {
    const place = placeOf(index, fact);
    const add = (text: string) => problems.push({ place, text });
    const odd = oddTexts(fact);
    const incomplete = odd.length > 0 ? odd : recordProblems(fact, fields);
    for (const problem of incomplete) add(problem);
    if (incomplete.length > 0) continue;
    const wrong = check(fact);
    if (wrong !== undefined) add(wrong);
    const key = JSON.stringify([fact.question, fact.operation]);
    const first = linesByFact.get(key);
    if (first === undefined) linesByFact.set(key, index + 1);
    else add(`answers the same question as fact ${first}; keep one of them`);
  }
  return problems.length > 0 ? problems : new Facts(facts);
}

/** Reports the fields that a record has twice. `JSON.parse` silently keeps only the last of them. */
function repeatedKeys(json: string): FactProblem[] {
  const problems: FactProblem[] = [];
  const records: Set<string>[] = [];
  for (const { 0: token, 1: name, index } of json.matchAll(/("(?:\\.|[^"\\])*")\s*:|"(?:\\.|[^"\\])*"|[{}]/g)) {
    if (token === '{') records.push(new Set());
    else if (token === '}') records.pop();
    else if (name !== undefined) {
      if (records.at(-1)?.has(name)) {
        const line = json.slice(0, index).split('\n').length;
        problems.push({ place: `line ${line}`, text: `has ${name} twice in one record; keep one of them` });
      }
      records.at(-1)?.add(name);
    }
  }
  return problems;
}

const RESTORE = 'restore the file from the repository, or remove it and survey again';

function placeOf(index: number, fact: unknown): string {
  const { question, operation } = isRecord(fact) ? fact : {};
  const named = typeof question === 'string' && typeof operation === 'string' ? `, ${question} of ${operation}` : '';
  return `fact ${index + 1}${named
    .slice(0, 100)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '?')}`;
}

/** Fields that never quote a service. So a control character or an unpaired surrogate in one of these fields is a mistake. */
const keyFields = ['question', 'operation', 'askedAt'] as const;

function oddTexts(fact: unknown): string[] {
  const odd = keyFields.filter((field) => {
    const text = isRecord(fact) ? fact[field] : undefined;
    return typeof text === 'string' && (/\p{Cc}/u.test(text) || !text.isWellFormed());
  });
  return odd.map(
    (field) => `${field} contains a line break, another control character or half a character; write it again`,
  );
}

/**
 * Writes the text of a file of facts: sorted, and one fact a line, so that a person can read it like a table, and a changed answer is one
 * line of a diff.
 */
export function factsText(facts: Facts): string {
  return `{"facts": [\n${Array.from(facts, (fact) => `  ${factText(fact)}`).join(',\n')}\n]}\n`;
}

/** Writes a fact as a line of the file: first operation and question, then the answer. */
export function factText({ operation, question, answer, evidence, askedAt }: Fact): string {
  return JSON.stringify({ operation, question, answer, evidence, askedAt })
    .replaceAll('","', '", "')
    .replaceAll('":"', '": "');
}
