import { type CauseInRun, countsOf, namedReason, outcomeOfVerdict, type TestOutcome } from '../run/ending/index.ts';
import { attributeText } from './escaped.ts';
import { flakeText, type RunReport } from './summary.ts';

const elementOf = { failed: 'failure', unknown: 'error', skipped: 'skipped' } as const;

/**
 * A JUnit file for GitLab and other dashboards: one suite per environment. Class names end in the area, by which dashboards group tests.
 * Failed tests are failures, and tests that could not be judged are errors.
 */
export function junitXml({ outcomes, causes }: Pick<RunReport, 'outcomes' | 'causes'>, startedAt: Date): string {
  const suites = [...Map.groupBy(outcomes, ({ environment }) => environment)];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'Sextant', ...counts(outcomes) })}>`,
    ...suites.flatMap(([name, all]) => [
      `  <testsuite${attributes({ name, ...counts(all), skipped: countsOf(all).skipped, timestamp: startedAt.toISOString() })}>`,
      ...all.map((each) => testcase(each, causes)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function testcase(tested: TestOutcome, causes: readonly CauseInRun[]): string {
  const { environment, area, title, seconds, verdict, flaky, reason = '' } = tested;
  const outcome = outcomeOfVerdict(verdict);
  const head = `    <testcase${attributes({ classname: `${environment}.${area}`, name: title, time: seconds.toFixed(3) })}`;
  if (outcome === 'passed')
    return flaky
      ? `${head}>\n      <system-out>${xmlText(`flaky: ${flakeText(flaky)}`)}</system-out>\n    </testcase>`
      : `${head}/>`;
  const element = elementOf[outcome];
  const details = tested.messages?.join('\n\n').trim();
  const message = outcome === 'skipped' ? reason : namedReason(tested) || details?.split('\n')[0] || '';
  const body = details ? `>${xmlText(details)}</${element}>` : '/>';
  const causeTexts = causes
    .filter((cause) => cause.environment === environment && cause.tests.includes(title))
    .map(({ sentence }) => `        <property${attributes({ name: 'cause', value: sentence })}/>\n`);
  const properties = causeTexts.length > 0 ? `      <properties>\n${causeTexts.join('')}      </properties>\n` : '';
  return `${head}>\n${properties}      <${element}${attributes({ message })}${body}\n    </testcase>`;
}

function counts(cases: readonly TestOutcome[]) {
  const { failed, unknown } = countsOf(cases);
  const time = cases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3);
  return { tests: cases.length, failures: failed, errors: unknown, time };
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlText(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('');
}

/** Escapes a text for XML 1.0, and replaces control characters and lone surrogates. */
function xmlText(text: string): string {
  return attributeText(
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd'),
  );
}
