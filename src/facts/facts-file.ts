import { type Fact, Facts } from './facts.ts';

/** A mistake in one fact of a file, or in the file as a whole. */
export interface FactProblem {
  /** `fact 3, repeat of report`. */
  readonly place: string;
  readonly text: string;
}

/** Says what is wrong with a fact that is complete; `undefined` if nothing is. */
export type CheckFact = (fact: Fact) => string | undefined;

const fields = ['question', 'operation', 'answer', 'evidence', 'askedAt'] as const satisfies (keyof Fact)[];

/** The facts in the text of a file, or all mistakes in the text. */
export function parseFacts(text: string, check: CheckFact): Facts | readonly FactProblem[] {
  const whole = (problem: string) => [{ place: 'facts', text: problem }];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // A parser's message repeats the file, line breaks included.
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
  const found = new Map<string, number>();
  for (const [index, fact] of facts.entries()) {
    const place = placeOf(index, fact);
    const add = (text: string) => problems.push({ place, text });
    for (const problem of problemsOf(fact)) add(problem);
    if (!isFact(fact)) continue;
    const wrong = check(fact);
    if (wrong !== undefined) add(wrong);
    const key = JSON.stringify([fact.question, fact.operation]);
    const first = found.get(key);
    if (first === undefined) found.set(key, index + 1);
    else add(`answers the same question as fact ${first}; keep one of them`);
  }
  return problems.length > 0 ? problems : new Facts(facts);
}

/** A parser keeps the last of two fields with one name, and says nothing. */
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

function problemsOf(fact: unknown): string[] {
  if (!isRecord(fact)) return ['is not a record {"question", "operation", "answer", "evidence", "askedAt"}'];
  const unknown = Object.keys(fact).filter((name) => !fields.some((field) => field === name));
  const missing = fields.filter((field) => typeof fact[field] !== 'string' || fact[field].trim() === '');
  const odd = keyFields.filter((field) => typeof fact[field] === 'string' && isOdd(fact[field]));
  if (odd.length > 0)
    return odd.map(
      (field) => `${field} contains a line break, another control character or half a character; write it again`,
    );
  return [
    ...missing.map((field) => `${field} is missing, or not a text`),
    ...unknown.map((name) => `${JSON.stringify(name.slice(0, 40))} is not a field of a fact`),
    ...(typeof fact.askedAt === 'string' && fact.askedAt.trim() !== '' && !isDay(fact.askedAt)
      ? [`askedAt ${JSON.stringify(fact.askedAt.slice(0, 40))} is not a day such as 2026-11-27`]
      : []),
  ];
}

/** The fields without a text of a service. */
const keyFields = ['question', 'operation', 'askedAt'] as const;

function isOdd(text: string): boolean {
  return /\p{Cc}/u.test(text) || !text.isWellFormed();
}

function isFact(fact: unknown): fact is Fact {
  return problemsOf(fact).length === 0;
}

/** `2026-11-27`, or a time of that day. */
function isDay(text: string): boolean {
  const [, day] = /^(\d{4}-\d\d-\d\d)(T[\d:.]+Z?)?$/.exec(text) ?? [];
  if (day === undefined) return false;
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of a file: sorted, one fact a block, so that a change of one answer is a change of few lines. */
export function factsText(facts: Facts): string {
  const blocks = Array.from(facts, ({ question, operation, answer, evidence, askedAt }) => ({
    question,
    operation,
    answer,
    evidence,
    askedAt,
  }));
  return `${JSON.stringify({ facts: blocks }, null, 2)}\n`;
}

/** One fact as a person writes it into the file. */
export function factText({ question, operation, answer, evidence, askedAt }: Fact): string {
  return JSON.stringify({ question, operation, answer, evidence, askedAt })
    .replaceAll('","', '", "')
    .replaceAll('":"', '": "');
}
