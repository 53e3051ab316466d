import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../../reference-service/index.ts';
import { Refusal } from '../../reference-service/refusal.ts';
import { loadEnvironment } from '../environment/index.ts';
import { takeUsers } from '../safety/index.ts';
import { runInProcess } from '../testing/programs/run-in-process.ts';
import { ownEnvironments, ownService } from '../testing/servers/own-service.ts';
import { environmentText } from '../testing/test-environment.ts';

const service = await ownService();

const trial = environmentText(service.addresses, {
  FRIEND_USER_ID: 'user-ben',
  FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}',
  FLAG_KEY: 'new-home',
  ALLOWED_EFFECTS: 'read',
});
const acting = trial.replace('ALLOWED_EFFECTS=read', 'ALLOWED_EFFECTS=read,reversible');
const signedOut = environmentText(service.addresses, {
  FRIEND_USER_ID: 'user-ben',
  FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}',
  ACCESS_TOKEN: 'expired-token-of-ada',
});
const { folder, env } = ownEnvironments({ trial, second: trial, acting, signedout: signedOut });
Object.assign(process.env, env, { SEXTANT_OBSERVED: join(folder, 'observed'), DRIFT: '' });
const environments = process.env.SEXTANT_ENVIRONMENTS ?? '';

async function sextant(...args: string[]) {
  const { code, out, err } = await runInProcess(args);
  return { code, said: out + err };
}

const failing = { name: 'wrong', operation: 'evaluate', handle: () => () => ({ status: 500 }) } as const;
const renamed: Fault = {
  name: 'evaluate lacks its value',
  operation: 'evaluate',
  handle: (honest) => (visit) => {
    const { value, ...rest } = honest(visit).body as { value: unknown };
    return { status: 200, body: { ...rest, answer: value } };
  },
};

test('sextant survey: what is refused, resumed, written, reported, taken and compared', async () => {
  const facts = join(environments, 'trial.facts.json');
  const page = join(process.env.SEXTANT_OUTPUT ?? '', 'survey', 'trial.md');
  const survey = ['survey', '--env', 'trial'];
  const read = () => readFileSync(facts, 'utf8');

  service.faults.set({
    name: 'nothing',
    operation: 'all',
    arrive: () => () => {
      throw new Refusal(500, 'gone', 'gone');
    },
  });
  const dead = await sextant(...survey);
  assert.equal(dead.code, 1, dead.said);
  assert.match(dead.said, /No scenario passes, so there is nothing to learn from:\n {2}failed: .*500/);
  assert.ok(!existsSync(facts));

  service.faults.set(failing);
  const partly = await sextant(...survey);
  assert.equal(partly.code, 1, partly.said);
  assert.match(
    partly.said,
    /These scenarios fail, so the questions that depend on them stay undecided:\n {2}failed: .*500/,
  );
  assert.match(readFileSync(page, 'utf8'), /\| evaluate \| `[^`]+` \| \*not answered\*: scenario "evaluate a flag/);
  assert.ok(!readdirSync(join(folder, 'observed', 'trial')).includes('evaluate.json'));
  assert.doesNotMatch(read(), /"evaluate"/);
  rmSync(facts);
  rmSync(join(folder, 'observed'), { recursive: true });
  service.faults.set();

  const short = await sextant(...survey, '--max-requests', '60');
  assert.equal(short.code, 3, short.said);
  assert.match(short.said, /Not finished: --max-requests 60 is used up.*the same command resumes/);
  const first = read();
  const whole = await sextant(...survey);
  assert.equal(whole.code, 0, whole.said);
  assert.match(whole.said, /\d+ facts added\.\nNo known answer has changed\./);
  assert.ok(read().length > first.length);
  assert.match(readFileSync(page, 'utf8'), /\| reportOptions \| `languages` \| de, en, fr of 16 tried \|/);
  assert.match(readFileSync(page, 'utf8'), /\*not answered\*: block was not sent: its effect is reversible/);
  assert.ok(readdirSync(join(folder, 'observed', 'trial')).includes('evaluate.json'));
  assert.doesNotMatch(read(), /user-ben|127\.0\.0\.1|tok_/);

  const before = read();
  const again = await sextant(...survey);
  assert.match(again.said, /\nNo known answer has changed\./);
  assert.equal(read(), before);
  writeFileSync(join(folder, 'before.json'), before);

  service.faults.set(renamed);
  const looked = await sextant(...survey);
  assert.equal(looked.code, 0, looked.said);
  assert.match(looked.said, /^evaluate answer-shape: \{.* → \{.*answer: string/m);
  assert.match(looked.said, /evaluate response 200: \/value is missing/);
  const [, command = ''] =
    /Changed answers were not written\. To accept them, run `npx sextant (.*)`\./.exec(looked.said) ?? [];
  assert.equal(read(), before);

  const only = command.match(/--only '([^']*)'/)?.[1] ?? '';
  const updated = await sextant(...survey, '--update', '--only', only);
  assert.equal(updated.code, 0, updated.said);
  assert.match(read(), /\{[^}]*answer: string/);
  assert.equal((await sextant(...survey, '--only', only)).said.includes('No known answer has changed.'), true);

  service.faults.set(failing);
  const known = read();
  const weaker = await sextant(...survey, '--update');
  assert.match(weaker.said, /\d+ earlier answers kept: evaluate /);
  assert.equal(read(), known);
  service.faults.set();

  const compared = await sextant('compare', join(folder, 'before.json'), 'trial');
  assert.equal(compared.code, 0, compared.said);
  assert.match(compared.said, /evaluate\n {2}unknown {3}answer-shape: /);
  const alike = await sextant('compare', 'trial', 'trial', '--format', 'json');
  assert.equal(alike.code, 0);
  assert.deepEqual(JSON.parse(alike.said).differences, []);
});

test('another folder gets all that is known, and nothing is written beside the environment', async () => {
  const facts = join(environments, 'second.facts.json');
  const written = await sextant('survey', '--env', 'second', '--only', 'languages', '--out', join(folder, 'out'));
  assert.equal(written.code, 0, written.said);
  assert.ok(!existsSync(facts));
  assert.match(readFileSync(join(folder, 'out', 'second.facts.json'), 'utf8'), /"languages"/);
});

test('a file of facts that a person damaged is told with all its problems', async () => {
  const facts = join(environments, 'second.facts.json');
  const fact = { question: 'repeats', operation: 'love', answer: 'accepted', evidence: 'mine', askedAt: 'today' };
  writeFileSync(
    facts,
    JSON.stringify({ facts: [fact, { ...fact, question: 'repeat', askedAt: '2026-11-27', answer: 'no' }] }),
  );
  const { code, said } = await sextant('survey', '--env', 'second');
  rmSync(facts);
  assert.equal(code, 2, said);
  assert.match(said, /fact 1, repeats of love +askedAt must be a day, e\.g\. /);
  assert.match(said, /fact 2, repeat of love +answer "no" is not one of: accepted/);
});

test('a survey says what the scenarios before it could not undo', async () => {
  service.faults.set({ name: 'kept', operation: 'unlove', handle: () => () => ({ status: 500 }) });
  const { said } = await sextant('survey', '--env', 'acting', '--only', 'reportOptions success-status');
  service.faults.set();
  assert.match(said, /acting: \d+ changes? could not be undone; the next run tries again\.\n {2}LEFT .*love/);
});

test('a credential that is not accepted ends a survey with its name, and keeps what is known', async () => {
  const facts = join(environments, 'signedout.facts.json');
  const known = { question: 'repeat', operation: 'love', answer: 'accepted', evidence: 'mine', askedAt: '2026-11-27' };
  writeFileSync(facts, JSON.stringify({ facts: [known] }));
  const { code, said } = await sextant('survey', '--env', 'signedout');
  assert.equal(code, 1, said);
  assert.match(
    said,
    /^Not finished: ACCESS_TOKEN is not accepted \(401 at .*\): check ACCESS_TOKEN in \S+signedout\.env\. /m,
  );
  assert.doesNotMatch(said, /^ +at |bug in Sextant|no response/m);
  assert.deepEqual(JSON.parse(readFileSync(facts, 'utf8')).facts, [known]);
});

test('Ctrl-C ends a survey of several environments, not only that of the first', async () => {
  const before = process.listenerCount('SIGINT');
  const surveying = sextant('survey', '--env', 'trial', '--env', 'second');
  while (process.listenerCount('SIGINT') === before) await wait(5);
  process.emit('SIGINT');
  const { code, said } = await surveying;
  assert.equal(code, 3, said);
  assert.match(said, /^trial:/);
  assert.match(said, /^Stopped before the first question; nothing was written\.$/m);
  assert.doesNotMatch(said, /second/);
});

test('Ctrl-C while a survey waits for the users says that nothing was asked', async () => {
  const release = await takeUsers(loadEnvironment('acting'), { say: () => {} });
  const before = process.listenerCount('SIGINT');
  const surveying = sextant('survey', '--env', 'acting');
  try {
    while (process.listenerCount('SIGINT') === before) await wait(5);
    process.emit('SIGINT');
    const { code, said } = await surveying;
    assert.equal(code, 3, said);
    assert.match(said, /^Stopped before the first question; nothing was written\.$/m);
  } finally {
    release();
  }
});
