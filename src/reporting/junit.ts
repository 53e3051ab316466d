import { attributeText } from './escaped.ts';

/** One test or scenario in JUnit's terms. */
export interface JunitCase {
  /** Its suite: the environment. */
  readonly suite: string;
  /** Dashboards group by it: the area. */
  readonly group: string;
  readonly name: string;
  readonly seconds: number;
  /** `failed` is a failure; `unknown` (the suite could not judge) is an error. */
  readonly outcome: 'passed' | 'failed' | 'unknown' | 'skipped';
  /** One line; absent if it passed. */
  readonly message?: string;
  /** Each cause of its failure in one sentence. */
  readonly causes?: readonly string[];
  /** What else is to be said of a test that passed. */
  readonly output?: string;
  /** The complete text of a failure. */
  readonly details?: string;
}

const elementOf = { failed: 'failure', unknown: 'error', skipped: 'skipped' } as const;

/** A JUnit file for GitLab and others: one suite per environment, failures and errors counted separately. */
export function junitXml(cases: readonly JunitCase[], startedAt: Date): string {
  const suites = [...Map.groupBy(cases, ({ suite }) => suite)];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'Sextant', ...counts(cases) })}>`,
    ...suites.flatMap(([name, all]) => [
      `  <testsuite${attributes({ name, ...counts(all), skipped: count(all, 'skipped'), timestamp: startedAt.toISOString() })}>`,
      ...all.map(testcase),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function testcase({
  suite,
  group,
  name,
  seconds,
  outcome,
  message = '',
  details,
  output,
  causes = [],
}: JunitCase): string {
  const head = `    <testcase${attributes({ classname: `${suite}.${group}`, name, time: seconds.toFixed(3) })}`;
  if (outcome === 'passed' && output === undefined) return `${head}/>`;
  if (outcome === 'passed') return `${head}>\n      <system-out>${xmlText(output ?? '')}</system-out>\n    </testcase>`;
  const element = elementOf[outcome];
  const body = details === undefined ? '/>' : `>${xmlText(details)}</${element}>`;
  const told = causes.map((cause) => `        <property${attributes({ name: 'cause', value: cause })}/>\n`);
  const properties = told.length > 0 ? `      <properties>\n${told.join('')}      </properties>\n` : '';
  return `${head}>\n${properties}      <${element}${attributes({ message })}${body}\n    </testcase>`;
}

function counts(cases: readonly JunitCase[]) {
  return {
    tests: cases.length,
    failures: count(cases, 'failed'),
    errors: count(cases, 'unknown'),
    time: cases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3),
  };
}

function count(cases: readonly JunitCase[], wanted: JunitCase['outcome']): number {
  return cases.filter(({ outcome }) => outcome === wanted).length;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlText(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('');
}

/** Text for XML 1.0, without control characters, lone surrogates and terminal colours. */
function xmlText(text: string): string {
  return attributeText(
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours begin with one
      .replaceAll(/\u001b\[[\d;]*m/g, '')
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd'),
  );
}
