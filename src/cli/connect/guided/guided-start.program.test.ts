import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { seeded } from '../../../../reference-service/index.ts';
import { areaIds, areas, firstArea } from '../../../service/index.ts';
import { assertOnlyReads } from '../../../testing/programs/guided-start.ts';
import { CTRL_C, ENTER, Terminal } from '../../../testing/programs/terminal.ts';
import { Arrivals } from '../../../testing/servers/arrivals.ts';
import { ownFolder, ownService } from '../../../testing/servers/own-service.ts';

const WRONG = `canary-wrong-${'0123456789'.repeat(200)}`;

const service = await ownService();
const folder = ownFolder();
const arrivals = new Arrivals();

const variables = (at: string) => ({
  SEXTANT_ENVIRONMENTS: at,
  SEXTANT_OUTPUT: join(at, 'output'),
  SEXTANT_OBSERVED: join(at, 'observed'),
});

const fill = (terminal: Terminal, key: string, value = '') =>
  terminal.answers(new RegExp(`\\? ${key}\\b[^>]*> $`), value + ENTER);

async function fillIn(terminal: Terminal, token: string): Promise<void> {
  const { addresses } = service;
  for (const [index, area] of areaIds.entries()) {
    await fill(terminal, areas[area].addressKey, `${addresses[area]}${index === 0 ? '/v1/a/path' : ''}`);
    if (index === 0)
      await terminal.answers(
        /goes\s+too\s+far: .*drop\s+\/v1\s+and\s+all\s+after\s+it: .*Enter\s+accepts\s.*> $/s,
        ENTER,
      );
  }
  await fill(terminal, 'CLIENT_ID', seeded.client.clientId);
  await fill(terminal, 'USER_ID', seeded.caller.userId);
  await fill(terminal, 'ACCESS_TOKEN', 'org.sextant.tests');
  await terminal.answers(/looks\s+like\s+the\s+value\s+of\s+another\s+key[^>]*> $/, token + ENTER);
  await fill(terminal, 'API_KEY', seeded.client.apiKey);
  await fill(terminal, 'APP_BUNDLE', 'org.sextant.tests');
  for (const key of ['APP_VER', 'APP_PLATFORM', 'APP_LANG', 'APP_ENV']) await fill(terminal, key);
  await fill(terminal, 'FRIEND_PROFILE_REQUEST', 'GET /v1/profile/{userId}');
  await fill(terminal, 'FRIEND_USER_ID', seeded.friend.userId);
  await fill(terminal, 'FRIEND_ACCESS_TOKEN');
}

test('from nothing to a first green check, by typing; nothing that changes something is ever sent', async (t) => {
  const terminal = new Terminal(['environments', 'new', 'staging'], variables(folder));
  t.after(() => terminal.kill());
  const arrived = await arrivals.during(async () => {
    await fillIn(terminal, WRONG);
    await terminal.answers(/Enter test data for changes now[^>]*> $/, ENTER);
    await terminal.hears(/Wrote \S+staging\.env\s+and\s+\S+staging\.secret\.env/);
    await terminal.answers(/Try it now\?[^>]*> $/, `Y${ENTER}`);
    await terminal.hears(/✗ credentials +Friends, Stories and Profile: refused \(401\)\s+→ check ACCESS_TOKEN/);
    await terminal.answers(/What now\?\s+1 +correct ACCESS_TOKEN[^>]*> $/, `1${ENTER}`);
    await fill(terminal, 'ACCESS_TOKEN', seeded.caller.accessToken);
    await terminal.hears(/✓ credentials +accepted by Friends, Stories, Profile and Feature toggles/);
    await terminal.hears(
      /✓ refusals +a\s+read\s+without\s+its\s+token\s+is\s+refused\s+with\s+an\s+error\s+status\s+\(401\)/,
    );
    await terminal.answers(
      /What may be sent \(ALLOWED_EFFECTS\)\?\s+1 +read:\s+a\s+run\s+changes\s+nothing[^>]*> $/,
      ENTER,
    );
    await terminal.answers(
      /A survey finds[^?]*=read\s+the\s+survey\s+changes\s+nothing\.[^?]*\? Survey it now\?\s+1 +yes[^>]*> $/,
      ENTER,
    );
    await terminal.hears(/\d+ facts added\.[\s\S]*wrote \S+staging\.facts\.json/);
    await terminal.hears(
      /npx sextant check --env staging[\s\S]*Commit \S+staging\.env, \S+staging\.facts\.json\s+and\s+\S+observed\/staging\/;/,
    );
    assert.equal(await terminal.ended, 0, terminal.said);
  });

  const own = readFileSync(join(folder, 'staging.env'), 'utf8');
  assert.match(own, /^ALLOWED_EFFECTS=read$/m);
  // The guided start doesn't ask for REPORT_LANGUAGE: it uses the value of APP_LANG, and checks this value by a read.
  assert.match(own, /^REPORT_LANGUAGE=en$/m);
  assert.doesNotMatch(own + terminal.raw, new RegExp(`${seeded.caller.accessToken}|${seeded.client.apiKey}|${WRONG}`));
  // The line above each key is a comment with its meaning.
  const lines = own.split('\n');
  for (const [index, line] of lines.entries())
    if (/^[A-Z_]+=/.test(line)) assert.match(lines[index - 1] ?? '', /^# \S+ /);
  if (process.platform !== 'win32') assert.equal(statSync(join(folder, 'staging.secret.env')).mode & 0o777, 0o600);

  const check = new Terminal(['check', '--env', 'staging'], variables(folder));
  t.after(() => check.kill());
  const checked = await arrivals.during(() => check.hears(/\d+ passed/));
  assert.equal(await check.ended, 0, check.said);

  for (const all of [arrived, checked]) {
    assert.ok(all.length > 5, `${all.length} requests arrived`);
    assertOnlyReads(all);
  }
});

test('Ctrl-C at a question ends it with 130, and nothing is written', async (t) => {
  const empty = ownFolder();
  const terminal = new Terminal(['environments', 'new', 'staging'], { ...variables(empty), NO_COLOR: '1' });
  t.after(() => terminal.kill());
  await fill(terminal, areas[firstArea].addressKey, service.addresses[firstArea]);
  await terminal.answers(/\? STORY_URL\b[^>]*> $/, CTRL_C);
  assert.equal(await terminal.ended, 130, terminal.said);
  assert.match(terminal.said, /Stopped\. Nothing was written, so what you entered is lost\./);
  assert.deepEqual(readdirSync(empty), []);
  // NO_COLOR is set, so there are no colours.
  assert.doesNotMatch(terminal.raw, /\[3[0-9]m/);
});

test('an answer is changed by going back, and Tab puts what is offered into the line', async () => {
  const terminal = new Terminal(['environments', 'new', 'staging'], variables(ownFolder()));
  await fill(terminal, 'FRIEND_URL', 'http://127.0.0.1:1');
  await fill(terminal, 'STORY_URL', '<');
  await fill(terminal, 'FRIEND_URL', '\t0/friends');
  await terminal.hears(/\? STORY_URL\b[^>]*\[http:\/\/127\.0\.0\.1:10\/friends\] > $/);
  terminal.kill();
});
