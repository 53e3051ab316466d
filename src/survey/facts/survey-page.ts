import { counted } from '../../config/index.ts';
import { operationIds } from '../../spec/index.ts';
import { type Fact, type Survey, UNDECIDED } from './fact.ts';

interface Gap {
  readonly part: string;
  /** In the words of the specification. */
  readonly gap: string;
  readonly questions: RegExp;
}

/** The gaps that the specification lists, part by part, and the questions that fill each. */
const gaps: readonly Gap[] = [
  { part: '2. Resources and their fields', gap: 'Fields of every response record', questions: /^answer-shape$/ },
  { part: '2. Resources and their fields', gap: 'Effect of `includes`', questions: /^includes-effect$/ },
  {
    part: '2. Resources and their fields',
    gap: 'Allowed values of status, gender and avatar item type',
    questions: /^allowed-values:/,
  },
  {
    part: '2. Resources and their fields',
    gap: 'Required request fields, and the strictness of bodies',
    questions: /^(required-field|wrong-type):|^(unknown-field|malformed-json|missing-content-type)$/,
  },
  {
    part: '2. Resources and their fields',
    gap: 'The full set of report codes',
    questions: /^(report-codes|languages|unknown-language|unknown-code)$/,
  },
  {
    part: '3. States and transitions',
    gap: 'States and transitions',
    questions: /^(repeat|block-visible|unknown-(user|story|item))$/,
  },
  { part: '4. Endpoints', gap: 'Success status codes', questions: /^success-status$/ },
  { part: '4. Endpoints', gap: 'The meaning of the two numeric path segments', questions: /^paging$/ },
  { part: '4. Endpoints', gap: 'Method, path and parameters of operation 12', questions: /^own-request$/ },
  { part: '4. Endpoints', gap: 'What `default` gives', questions: /^default-fallback$/ },
  {
    part: '5. Authentication',
    gap: 'Validation of the token, the API key and the other headers',
    questions: /^(missing|wrong)-header:|^(scheme-case|token-user)$/,
  },
  { part: '7. Errors', gap: 'Error status codes and the error body', questions: /^(error-shape|method-not-allowed)$/ },
  { part: '8. Limits', gap: 'Text length', questions: /^text-limit:/ },
];

/** `surveys/<environment>.md`: a page for a team's wiki. */
export function surveyPage({ environment, startedAt, requests, facts }: Survey): string {
  const decided = facts.filter(({ answer }) => answer !== UNDECIDED).length;
  const parts = Map.groupBy(gaps, ({ part }) => part);
  const sections = [...parts].flatMap(([part, filled]) => [
    `## ${part}`,
    '',
    ...filled.flatMap(({ gap, questions }) =>
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
