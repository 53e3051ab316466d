import { join } from 'node:path';
import { isObservedOperation, type ObservedOperation, parsedJson, redact } from '../../client/index.ts';
import { FileTrouble, fileRoles, isThere, readText, replaceText } from '../../config/files/index.ts';
import { assertEnvironmentName, counted, observedFolder, surveysFolder } from '../../config/index.ts';
import { operationIds } from '../../spec/index.ts';
import { type Fact, type Survey, UNDECIDED } from './fact.ts';

export interface KeptSurvey extends Survey {
  readonly answers: readonly ObservedOperation[];
}

export type Learned = Pick<KeptSurvey, 'facts' | 'answers'>;

export function keptSurvey(environment: string): KeptSurvey | undefined {
  assertEnvironmentName(environment);
  const path = join(surveysFolder(), `${environment}.json`);
  return isThere(path, fileRoles.survey) ? readSurvey(path) : undefined;
}

export function readSurvey(path: string): KeptSurvey {
  const found = parsedJson(readText(path, fileRoles.survey));
  if (isSurvey(found)) return { answers: [], ...found };
  throw new FileTrouble(path, fileRoles.survey, 'is not what `sextant survey` writes', 'Survey again');
}

/** Writes `surveys/<name>.json`, `surveys/<name>.md` and `schemas/observed/<name>/`; returns their paths. */
export function writeSurvey(survey: KeptSurvey): string[] {
  const { environment, answers } = survey;
  const folder = observedFolder(environment);
  const files: [string, string][] = [
    ...answers.map((entry): [string, string] => [join(folder, `${entry.operation}.json`), json(entry)]),
    [join(surveysFolder(), `${environment}.json`), json(survey)],
    [join(surveysFolder(), `${environment}.md`), surveyPage(survey)],
  ];
  for (const [path, text] of files) replaceText(path, redact(text), fileRoles.survey);
  return files.map(([path]) => path);
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Whether a value that was read from a file is what a survey writes; its responses may be absent. */
function isSurvey(value: unknown): value is Survey & { readonly answers?: readonly ObservedOperation[] } {
  if (typeof value !== 'object' || value === null) return false;
  const { environment, facts, answers } = value as Record<string, unknown>;
  const areAnswers = answers === undefined || (Array.isArray(answers) && answers.every(isObservedOperation));
  return typeof environment === 'string' && Array.isArray(facts) && facts.every(isFact) && areAnswers;
}

function isFact(value: unknown): value is Fact {
  if (typeof value !== 'object' || value === null) return false;
  const { operation, question, answer, observedAt, evidence } = value as Record<string, unknown>;
  return [operation, question, answer, observedAt].every((each) => typeof each === 'string') && Array.isArray(evidence);
}

/** The gaps that the specification lists, part by part and in its words, and the questions that fill each. */
const gaps: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  '2. Resources and their fields': {
    'Fields of every response record': /^answer-shape$/,
    'Effect of `includes`': /^includes-effect$/,
    'Allowed values of status, gender and avatar item type': /^allowed-values:/,
    'Required request fields, and the strictness of bodies':
      /^(required-field|wrong-type):|^(unknown-field|malformed-json|missing-content-type)$/,
    'The full set of report codes': /^(report-codes|languages|unknown-language|unknown-code)$/,
  },
  '3. States and transitions': { 'States and transitions': /^(repeat|block-visible|unknown-(user|story|item))$/ },
  '4. Endpoints': {
    'Success status codes': /^success-status$/,
    'The meaning of the two numeric path segments': /^paging$/,
    'Method, path and parameters of operation 12': /^own-request$/,
    'What `default` gives': /^default-fallback$/,
  },
  '5. Authentication': {
    'Validation of the token, the API key and the other headers': /^(missing|wrong)-header:|^(scheme-case|token-user)$/,
  },
  '7. Errors': { 'Error status codes and the error body': /^(error-shape|method-not-allowed)$/ },
  '8. Limits': { 'Text length': /^text-limit:/ },
};

/** `surveys/<environment>.md`: a page for a team's wiki. */
function surveyPage({ environment, startedAt, requests, facts }: Survey): string {
  const decided = facts.filter(({ answer }) => answer !== UNDECIDED).length;
  const sections = Object.entries(gaps).flatMap(([part, filled]) => [
    `## ${part}`,
    '',
    ...Object.entries(filled).flatMap(([gap, questions]) =>
      gapLines(
        gap,
        facts.filter(({ question }) => questions.test(question)),
      ),
    ),
  ]);
  return [
    `# What the specification leaves open: ${environment}`,
    '',
    `Found by \`npx sextant survey --env ${environment}\`, started ${startedAt.slice(0, 16).replace('T', ' ')} UTC, with ${counted(requests, 'request')}:`,
    `${decided} of ${facts.length} questions decided. These facts apply only to this environment at that time. The evidence for each`,
    `is in \`${environment}.json\`.`,
    '',
    ...sections,
  ].join('\n');
}

function gapLines(gap: string, facts: readonly Fact[]): string[] {
  if (facts.length === 0) return [];
  const rows = Map.groupBy(facts, ({ question, answer, tried = '' }) => JSON.stringify([question, answer, tried]));
  const lines = [...rows.values()].map((alike) => {
    const { question, answer, tried } = alike[0] as Fact;
    const text = tried === undefined ? cell(answer) : `*${UNDECIDED}*: ${cell(tried)}`;
    return `| ${names(alike)} | \`${question}\` | ${text} |`;
  });
  return [`### ${gap}`, '', '| operation | question | found |', '|---|---|---|', ...lines, ''];
}

function names(facts: readonly Fact[]): string {
  const all = facts.map(({ operation }) => operation);
  return operationIds.every((id) => all.includes(id)) ? 'all' : all.join(', ');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
}
