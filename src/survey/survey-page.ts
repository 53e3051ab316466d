import type { Facts } from '../facts/index.ts';
import { operationIds } from '../service/index.ts';
import { type Finding, isDecided } from './findings.ts';

interface Surveyed {
  readonly environment: string;
  readonly facts: Facts;
  readonly findings: readonly Finding[];
  readonly requests: number;
}

/** The gaps that the specification itself lists, by part and in its words, each with the questions that fill the gap. */
const gaps: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  '2. Resources and their fields': {
    'Fields of every response record': /^(answer-shape|profile-names)$/,
    'Effect of `includes`': /^(includes-effect|partial-update)$/,
    'Allowed values of status, gender and avatar item type': /^(allowed-values:|(avatar|profile)-form$)/,
    'Required request fields, and the strictness of bodies':
      /^(required-field|wrong-type):|^(unknown-field|malformed-json|missing-content-type)$/,
    'The full set of report codes': /^(report-codes|languages|unknown-language|unknown-code|options-by-language)$/,
  },
  '3. States and transitions': {
    'States and transitions': /^(repeat|unknown-(user|story|item)|.*-shown|avatar-items)$/,
  },
  '4. Endpoints': {
    'Success status codes': /^success-status$/,
    'A list without entries': /^empty-list$/,
    'The meaning of the two numeric path segments': /^paging$/,
    'What `default` gives': /^(default-fallback|known-flag)$/,
    'The version that a clone names': /^type-version$/,
  },
  '5. Authentication': {
    'Validation of the token, the API key and the other headers': /^(missing|empty|wrong)-header:|^token-user$/,
    'Whose items a user may delete': /^foreign-item$/,
  },
  '7. Errors': { 'Error status codes and the error body': /^error-shape$/ },
  '8. Limits': { 'Codes of one report': /^codes-at-once$/, 'Texts that are changed': /^spaces-around$/ },
};

/** A page for a team's wiki: every question with its answer and evidence, or with the reason why it has no answer. */
export function surveyPage({ environment, facts, findings, requests }: Surveyed): string {
  const decided = findings.filter(isDecided).length;
  const open = findings.filter((finding) => !isDecided(finding) && !facts.of(finding.question, finding.operation));
  const rows: readonly Finding[] = [...facts, ...open];
  const sections = Object.entries(gaps).flatMap(([part, filled]) => [
    `## ${part}`,
    '',
    ...Object.entries(filled).flatMap(([gap, asked]) =>
      gapLines(
        gap,
        rows.filter(({ question }) => asked.test(question)),
      ),
    ),
  ]);
  return [
    `# What the specification leaves open: ${environment}`,
    '',
    `Found by \`npx sextant survey --env ${environment}\`, which asked ${findings.length} questions with ${requests} requests and decided ${decided}.`,
    'These facts apply only to this environment, from the day in the last column.',
    '',
    ...sections,
  ].join('\n');
}

function gapLines(gap: string, found: readonly Finding[]): string[] {
  if (found.length === 0) return [];
  const rows = Map.groupBy(found, ({ question, answer, tried = '' }) => JSON.stringify([question, answer, tried]));
  const lines = [...rows.values()].map((alike) => {
    const { question, answer, tried = '', evidence, askedAt } = alike[0] as Finding;
    const text = answer === undefined ? `*not answered*: ${cell(tried)}` : cell(answer);
    return `| ${names(alike)} | \`${question}\` | ${text} | ${cell(evidence)} | ${askedAt} |`;
  });
  return [
    `### ${gap}`,
    '',
    '| operation | question | answer | evidence | asked |',
    '|---|---|---|---|---|',
    ...lines,
    '',
  ];
}

function names(found: readonly Finding[]): string {
  const all = found.map(({ operation }) => operation);
  return operationIds.every((id) => all.includes(id)) ? 'all' : all.join(', ');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
}
