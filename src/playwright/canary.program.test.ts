import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { makeReport } from '../cli/playwright/allure-report.ts';
import { projectRoot } from '../environment/project-root.ts';
import { type AreaId, areaIds } from '../service/index.ts';
import { credentialsOf, DECOY, secretForms } from '../testing/echoing-service.ts';
import { findLeaks, findSecretsInFolder } from '../testing/find-leaks.ts';
import { ownFolder } from '../testing/own-folder.ts';
import { runInline } from '../testing/programs/run-inline.ts';
import { listening } from '../testing/servers/listening.ts';
import { environmentText } from '../testing/test-environment.ts';

/** Secrets with characters that JSON, HTML, URLs and base64 encode differently. */
const canaries = {
  ACCESS_TOKEN: 'canary+user/5f0c9d?a=~71&"ab<e',
  API_KEY: 'canary+key/0b7712?c=~9d&"e3<f',
  FRIEND_ACCESS_TOKEN: 'canary+friend/aa41?d=~02&"99<c',
};

const secretsOfProcess = Object.fromEntries(Object.entries(canaries).map(([key, value]) => [`CANARY_${key}`, value]));

/**
 * Tests that fail in every way, against misbehaving servers. Many failures share a test, because a test takes as long with six failures as
 * with one.
 */
const specs: Readonly<Record<string, string>> = {
  'a 500 that echoes': 'await friends.listBlocked().succeeds();',
  'an unjudged call': 'friends.listBlocked();',
  'a judgement not awaited': 'void friends.listBlocked().succeeds();',
  'calls that fail': `
    defer(() => friends.listBlocked().eventually((list) => expect(list, 'assumed: it is there').toMention(friend.id)));
    defer(() => asFriend.friends.listBlocked().succeeds());
    // To another origin.
    defer(() => stories.reportOptions({ language }).succeeds());
    // No answer in time.
    defer(() => profile.updateProfile(data.profile()).succeeds());
    // Connection refused.
    defer(() => gameDesign.cloneType({ FromClientId: 'a', TypeName: 'b', TypeVersion: 'c', Files: [], IsSetDefaultTypeVersion: false }).succeeds());
    // A compressed body.
    defer(() => storage.deleteItem({ id: 'x' }).succeeds());`,
  'expectations that fail': `
    const answer = await features.evaluate({ key: 'a', default: 'b', contextData: {} }).succeeds();
    // Around the suite, as nothing keeps a spec from doing.
    const { expect: plain } = await import(['@playwright', 'test'].join('/'));
    const seen = inside(answer);
    plain.soft(seen).toEqual({});
    plain.soft(seen.json).toEqual({ nothing: [] });
    plain.soft(seen.text).toBe('');
    plain.soft(seen.exchange).toEqual({});
    plain.soft(environment).toEqual({});
    console.log(environment, answer, seen);
    console.error(JSON.stringify(environment));
    throw new Error(seen.text);`,
};

/** The number of errors that each test must show. With fewer, one error would have hidden another. */
const errorCounts: Readonly<Record<string, number>> = { 'calls that fail': 6, 'expectations that fail': 6 };

const everythingFails = Object.entries(specs)
  .map(
    ([title, body]) => `
scenario(${JSON.stringify(title)}, { tag: ['@all', '@irreversible'] }, async (
  { friends, asFriend, stories, profile, gameDesign, features, storage, friend, language, data, environment, defer },
) => {
  ${body}
});`,
  )
  .join('\n');

/**
 * A body with each credential of a request in every form in which software prints it. Next to each credential is a harmless value, which
 * redaction must not remove.
 */
function echo(request: IncomingMessage): string {
  return JSON.stringify(
    credentialsOf(request).map((value) => ({
      plain: value,
      decoy: DECOY,
      header: request.headers.authorization,
      ...Object.fromEntries(secretForms.map(({ name, encode }) => [name, encode(value)])),
      url: `https://elsewhere.example/?token=${encodeURIComponent(value)}`,
      [value]: 'as a key',
    })),
  );
}

/** How the servers of some areas misuse a client's secrets. The servers of all other areas repeat the secrets in their responses. */
const hostilities: Partial<Record<AreaId, RequestListener>> = {
  friends: (request, response) => {
    const [value = ''] = credentialsOf(request);
    const printable = secretForms.map(({ encode }) => encode(value)).filter((text) => /^[\x20-\x7e]+$/.test(text));
    response.writeHead(500, `Broken for ${encodeURIComponent(value)}`, {
      'content-type': 'application/json',
      'x-echo': value,
      ...Object.fromEntries(printable.map((text, index) => [`x-echo-${index}`, text])),
      'set-cookie': `session=${encodeURIComponent(value)}`,
    });
    response.end(echo(request));
  },
  stories: (request, response) => {
    const [value = ''] = credentialsOf(request);
    response.writeHead(302, { location: `https://elsewhere.example/?token=${encodeURIComponent(value)}` }).end();
  },
  profile: () => {},
  storage: (request, response) => {
    response.writeHead(401, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(echo(request)));
  },
};

/** Every credential that the servers received. */
const sent = new Set<string>();
const server = createServer((request, response) => {
  for (const each of credentialsOf(request)) sent.add(each);
  const hostility = hostilities[request.url?.split('/')[1] as AreaId];
  if (hostility) hostility(request, response);
  else response.writeHead(200, { 'content-type': 'application/json' }).end(echo(request));
});

/**
 * Removes Allure's own JavaScript from a report, so that the search for secrets is faster. This JavaScript is identical to the package's
 * file, so it contains nothing of the run.
 */
function dropProgram(page: string): void {
  const html = readFileSync(page, 'utf8');
  const [packed = ''] = /(?<=URL\.createObjectURL[^"]*")[\w+/=]+/.exec(html) ?? [];
  const program = gunzipSync(Buffer.from(packed, 'base64'));
  const own = readFileSync(join(projectRoot, 'node_modules/@allurereport/plugin-awesome/dist/static/report.tar'));
  assert.ok(program.length > 1_000_000 && own.includes(program));
  const rest = html.replace(packed, '');
  assert.doesNotMatch(rest, /googletagmanager|gtag\(/, 'the report tells Google of its use');
  writeFileSync(page, rest);
}

test('no secret is in any artifact of a run in which everything fails, and what is none is in each', async (t) => {
  const { url, stop } = await listening(server);
  t.after(stop);
  const addresses = Object.fromEntries(areaIds.map((area) => [area, `${url}/${area}`])) as Record<AreaId, string>;
  const job = join(ownFolder(), 'job.md');
  const run = await runInline({
    specs: {
      'all.spec.ts': `import { expect, scenario } from './sextant.ts';\nimport { inside } from ${JSON.stringify(join(projectRoot, 'src/call/index.ts'))};\n${everythingFails}`,
    },
    environments: {
      canary: environmentText(
        { ...addresses, gameDesign: 'http://127.0.0.1:9' },
        {
          ACCESS_TOKEN: undefined,
          API_KEY: undefined,
          FRIEND_USER_ID: 'user-ben',
          REQUEST_TIMEOUT_MS: '400',
          CONSISTENCY_TIMEOUT_MS: '100',
        },
      ),
    },
    // The run gets the variables of a job on GitHub, because such a job writes more outputs.
    env: { ...secretsOfProcess, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: job },
    // Traces are off by default, but UI mode switches them on. They contain attachments and errors.
    args: ['--trace', 'on'],
  });
  dropProgram(await makeReport(run.env));
  assert.deepEqual(
    run.tests.map(({ title, status, errors }) => [title, status, errors.length]),
    Object.keys(specs).map((title) => [title, 'failed', errorCounts[title] ?? 1]),
  );
  assert.deepEqual([...sent].sort(), Object.values(canaries).sort());
  const searched = { ...canaries, DECOY };
  const found = [
    ...findSecretsInFolder(run.output, searched),
    ...findLeaks(Buffer.from(run.console), searched, 'console'),
    ...findLeaks(readFileSync(job), searched, 'job.md'),
  ];
  const { shown = [], leaked = [] } = Object.groupBy(found, ({ secret }) => (secret === 'DECOY' ? 'shown' : 'leaked'));
  assert.deepEqual(leaked, []);
  const forms = new Set<string>(shown.map(({ form }) => form));
  for (const form of ['as it is', 'as it is in HTML, escaped', 'as it is in base64'])
    assert.ok(forms.has(form), `${form}: ${[...forms].join(', ')}`);
  const written = ['junit.xml', 'results.json', 'summary.md', 'allure-results', 'report/index.html', 'playwright'];
  const kinds = ['console', 'job.md', ...written];
  const missing = kinds.filter((kind) => !shown.some(({ place }) => place.startsWith(kind)));
  assert.deepEqual(missing, [], shown.map(({ place }) => place).join('\n'));
});
