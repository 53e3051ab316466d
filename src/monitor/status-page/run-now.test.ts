import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Monitor } from '../monitor.ts';
import type { ProbeTarget } from '../probe/targets.ts';
import { runNow } from './run-now.ts';

const names = ['love, then unlove', 'love two stories', 'delete'];
const targets = ['prod-eu', 'staging'].flatMap((name) =>
  names.map((title) => ({ environment: { name }, scenario: { title } }) as ProbeTarget),
);

/** Submits a form, and returns the response and the scenarios that the form starts, each as `environment title`. */
async function asked(form: string) {
  const hurried: string[] = [];
  const hurry: Monitor['hurry'] = async ({ environment, scenario: { title } }) => {
    hurried.push(`${environment.name} ${title}`);
    return title === 'delete' ? 'spared' : title === 'love two stories' ? 'running' : 'hurried';
  };
  const said = await runNow(new URLSearchParams(form), { targets, hurry });
  return 'problem' in said ? said.problem : { hurried, said: said.done };
}

for (const [form, expected] of [
  // A title may contain a comma, although a comma also separates environments.
  [
    'scenario=love, then unlove&env=prod-*,nowhere',
    { hurried: ['prod-eu love, then unlove'], said: '"love, then unlove" in prod-eu runs now' },
  ],
  [
    'scenario=LOVE two*&scenario=delete&env=staging',
    {
      hurried: ['staging love two stories', 'staging delete'],
      said: '"love two stories" in staging is running already\n"delete" in staging waits for its interval, because each of its runs uses up data',
    },
  ],
  ['env=staging', 'scenario is missing: a title, or a pattern, e.g. love*'],
  ['scenario=love two storys', 'no monitored scenario matches "love two storys" (did you mean love two stories?)'],
  ['scenario=*&env=qa', 'no monitored scenario in qa matches "*"'],
] as const)
  test(`run now: ${form}`, async () => {
    assert.deepEqual(await asked(form), expected);
  });
