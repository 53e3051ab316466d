import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { serviceReadings } from '../../reference-service/index.ts';
import { Refusal } from '../../reference-service/refusal.ts';
import { runInProcess } from '../testing/programs/run-in-process.ts';
import { ownEnvironments, ownService } from '../testing/servers/own-service.ts';
import { environmentText } from '../testing/test-environment.ts';

const service = await ownService();

const trial = environmentText(service.addresses, {
  FRIEND_USER_ID: 'user-ben',
  FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}',
  ALLOWED_EFFECTS: 'read',
});
const acting = trial.replace('ALLOWED_EFFECTS=read', 'ALLOWED_EFFECTS=read,reversible');
const { folder, env } = ownEnvironments({ trial, second: trial, acting });
const folders = { SEXTANT_OBSERVED: join(folder, 'observed'), SEXTANT_SURVEYS: join(folder, 'surveys') };
Object.assign(process.env, env, folders, { DRIFT: '' });

async function sextant(...args: string[]) {
  const { code, out, err } = await runInProcess(args);
  return { code, said: out + err };
}

test('sextant survey: what is refused, unfinished, written, left alone, updated and compared', async () => {
  const page = join(folder, 'surveys', 'trial.md');
  const json = join(folder, 'surveys', 'trial.json');
  const survey = ['survey', '--env', 'trial'];

  service.faults.set({ name: 'wrong', operation: 'evaluate', handle: () => () => ({ status: 500 }) });
  const failing = await sextant(...survey);
  assert.equal(failing.code, 1, failing.said);
  assert.match(failing.said, /These scenarios fail, and what depends on them stays undecided:\n {2}failed: .*500/);
  const evaluated = /\| evaluate \| `[^`]+` \| \*undecided\*: scenario "evaluate a flag with default" failed/;
  assert.match(readFileSync(page, 'utf8'), evaluated);
  assert.ok(!readdirSync(join(folder, 'observed', 'trial')).includes('evaluate.json'));
  rmSync(join(folder, 'surveys'), { recursive: true });
  rmSync(join(folder, 'observed'), { recursive: true });
  service.faults.set();

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
  assert.ok(!existsSync(page));
  service.faults.set();

  const short = await sextant(...survey, '--max-requests', '40');
  assert.equal(short.code, 3, short.said);
  assert.match(short.said, /Not finished: --max-requests 40 is used up.*the same command resumes/);
  assert.ok(!existsSync(page));

  const whole = await sextant(...survey);
  assert.equal(whole.code, 0, whole.said);
  assert.match(readFileSync(page, 'utf8'), /\| reportOptions \| `languages` \| de, en, fr of 16 tried \|/);
  assert.match(readFileSync(page, 'utf8'), /\*undecided\*: block was not sent: its effect is reversible/);
  assert.ok(readdirSync(join(folder, 'observed', 'trial')).includes('evaluate.json'));

  const before = readFileSync(json, 'utf8');
  writeFileSync(join(folder, 'before.json'), before);
  service.faults.set({
    name: 'evaluate lacks its value',
    operation: 'evaluate',
    handle: (honest) => (visit) => {
      const { value, ...rest } = honest(visit).body as { value: unknown };
      return { status: 200, body: { ...rest, answer: value } };
    },
  });
  const looked = await sextant(...survey);
  assert.equal(looked.code, 0, looked.said);
  assert.match(looked.said, /evaluate response 200: \/value is missing/);
  assert.match(looked.said, /Nothing was written\. Use --update/);
  assert.equal(readFileSync(json, 'utf8'), before);

  const updated = await sextant(...survey, '--update', '--yes');
  assert.equal(updated.code, 0, updated.said);
  assert.notEqual(readFileSync(json, 'utf8'), before);

  service.faults.set({ name: 'wrong', operation: 'evaluate', handle: () => () => ({ status: 500 }) });
  const weaker = await sextant(...survey);
  assert.match(weaker.said, /\d+ earlier answers kept, not found out again:\n {2}.*evaluate/);
  service.faults.set();

  const compared = await sextant('compare', join(folder, 'before.json'), 'trial');
  assert.equal(compared.code, 1, compared.said);
  assert.match(compared.said, /evaluate\n {2}breaking {2}response 200: \/value is missing/);
  const alike = await sextant('compare', 'trial', 'trial', '--format', 'json');
  assert.equal(alike.code, 0);
  assert.deepEqual(JSON.parse(alike.said).differences, []);
});

test('a survey says what the scenarios before it could not undo', async () => {
  service.faults.set({ name: 'kept', operation: 'unlove', handle: () => () => ({ status: 500 }) });
  const { said } = await sextant('survey', '--env', 'acting', '--grep', 'reportOptions success-status');
  service.faults.set();
  assert.match(said, /acting: \d+ changes? could not be undone; the next run tries again\.\n {2}LEFT .*love/);
});

test('Ctrl-C ends a survey of several environments, not only that of the first', async () => {
  const before = process.listenerCount('SIGINT');
  const surveying = sextant('survey', '--env', 'trial', '--env', 'second');
  while (process.listenerCount('SIGINT') === before) await wait(5);
  process.emit('SIGINT');
  const { code, said } = await surveying;
  assert.equal(code, 3, said);
  assert.match(said, /^trial:/);
  assert.doesNotMatch(said, /second/);
});

test('a form that the document does not show is unproven, until the key that a survey names says it', async () => {
  service.faults.set(...serviceReadings.profileForm.online.changes('all'));
  const own = { FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}' };
  const { folder: other, env: second } = ownEnvironments({ forms: environmentText(service.addresses, own) });
  const before = { ...process.env };
  Object.assign(process.env, second, { SEXTANT_OBSERVED: join(other, 'observed'), SEXTANT_SURVEYS: join(other, 's') });
  const check = ['check', '--env', 'forms', '--grep', 'update profile', '--yes'];
  const open = await sextant(...check);
  assert.match(open.said, /PROFILES_ARE says it \(text, online, .*npx sextant survey --env forms/);
  const survey = await sextant('survey', '--env', 'forms', '--grep', 'updateProfile', '--yes');
  assert.match(survey.said, /what a profile may hold: status is one of some words, `online` among them/);
  const [key = ''] = /PROFILES_ARE=\S+/.exec(survey.said) ?? [];
  assert.equal(key, 'PROFILES_ARE=online');
  const file = join(second.SEXTANT_ENVIRONMENTS, 'forms.env');
  writeFileSync(file, `${readFileSync(file, 'utf8')}${key}\n`);
  const told = await sextant(...check);
  assert.equal(told.code, 0, told.said);
  assert.doesNotMatch(told.said, /PROFILES_ARE says it/);
  Object.assign(process.env, before);
  service.faults.set();
});
