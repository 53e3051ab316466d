import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import type { TestResult } from 'allure-js-commons';
import { Secret } from '../../client/index.ts';
import type { LoggedCall } from '../../scenario/index.ts';
import { ownFolder } from '../../testing/own-folder.ts';
import { latencySamples } from './latency.ts';
import { ResultsWriter } from './results-writer.ts';
import { slimReport } from './slim-report.ts';

const call = (durationMs: number, rest: Partial<LoggedCall> = {}): LoggedCall => ({
  environment: 'local',
  operation: 'block',
  startedAt: 1_000,
  durationMs,
  status: 200,
  ...rest,
});

const both = (key: string, median: number, p95 = median) => ({ [`${key}.median`]: median, [`${key}.p95`]: p95 });
const twenty = Array.from({ length: 20 }, (_, index) => call(20 - index));
const apart = [call(1), call(2, { environment: 'staging' }), call(3, { operation: 'unblock' })];
const unanswered: LoggedCall = { environment: 'local', operation: 'block', startedAt: 1, durationMs: 9_999 };

const rows: [title: string, calls: LoggedCall[], expected: Record<string, number>][] = [
  ['no call', [], {}],
  ['one call is median and percentile', [call(12.34)], both('local.block', 12.3)],
  ['ranks are the nearest ones', twenty, both('local.block', 10, 19)],
  [
    'environments and operations are kept apart',
    apart,
    { ...both('local.block', 1), ...both('staging.block', 2), ...both('local.unblock', 3) },
  ],
  ['a call without an answer has no latency', [unanswered, call(5)], both('local.block', 5)],
];

for (const [title, calls, expected] of rows)
  test(title, () => {
    const samples = latencySamples(calls);
    assert.deepEqual(Object.fromEntries(samples.map(({ key, value }) => [key, value])), expected);
  });

test('a sample spans its calls', () => {
  const [sample] = latencySamples([call(5, { startedAt: 100 }), call(7.4, { startedAt: 200 })]);
  assert.deepEqual([sample?.start, sample?.stop], [100, 207]);
});

test('everything becomes a file without secrets, and nothing unfinished is left', () => {
  const folder = ownFolder();
  const writer = new ResultsWriter(folder);
  const secret = encodeURIComponent(new Secret('canary+token/of-a-result').reveal());
  writer.writeAttachment('b.txt', Buffer.from(`text with ä and ${secret}`));
  writer.writeResult({ uuid: '1', name: secret, parameters: [{ name: 'id', value: secret }] } as TestResult);
  writer.writeGroup({ uuid: '2', children: [], befores: [], afters: [] });
  writer.writeGlobals('3-globals.json', { attachments: [], errors: [] });
  writer.writeEnvironmentInfo({ node: 'v26' });
  const files = Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  assert.deepEqual(files, {
    '1-result.json': '{"uuid":"1","name":"***","parameters":[{"name":"id","value":"***"}]}',
    '2-container.json': '{"uuid":"2","children":[],"befores":[],"afters":[]}',
    '3-globals.json': '{"attachments":[],"errors":[]}',
    'b.txt': 'text with ä and ***',
    'environment.properties': 'node=v26',
  });
});

const entries = {
  'widgets/statistic.json': Buffer.from('{"total":1,"title":"Größe"}').toString('base64'),
  'data/attachments/a.bin': Buffer.from([0, 255, 128, 10]).toString('base64'),
  'widgets/empty.json': '',
};
const green = { causes: [], likely: [] };
const red = { causes: ['staging · Stories: <b> answers 500 (2 tests)'], likely: ['Looks like: x'] };
const htmlOf = (data: Readonly<Record<string, string>>) => `<html><head></head><body class="a"><script>keep()</script>
    <script async src="https://www.googletagmanager.com/gtag/js?id=G-X"></script>
    <script>
        window.dataLayer = window.dataLayer || [];
        gtag('config', 'G-X', {"reportUuid": "u"});
    </script>
    <script defer>
      Promise.allSettled([${Object.entries(data).map(([name, value]) => `d("${name}","${value}")`)}])
        .then(function(){
          window.allureReportDataReady = true;
        })
    </script></html>`;

const html = htmlOf(entries);

/** What a browser unpacks. */
async function unpacked(page: string): Promise<Record<string, string>> {
  const [, script = ''] = /<script defer>([^<]*)<\/script>/.exec(page) ?? [];
  const found: Record<string, string> = {};
  const window = { allureReportDataReady: false };
  const d = (name: string, value: string) => {
    found[name] = value;
  };
  await runInNewContext(script, { window, d, atob, btoa, Blob, Response, DecompressionStream, Uint8Array, JSON });
  assert.equal(window.allureReportDataReady, true);
  return { ...found };
}

test('a slim report holds the same data, and is ready once they are unpacked', async () =>
  assert.deepEqual(await unpacked(slimReport(html, green)), entries));

test('a secret is masked in the data and around them, and everything else stays, however much it is', async () => {
  const secret = new Secret('canary-of-the-report-41d2');
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  // As of a whole suite: easily compressed, and with escapes in escapes.
  const nested = Array.from({ length: 6 }).reduce<string>((inner) => JSON.stringify(inner), 'a "word"');
  const much = { 'data/many.json': base64(JSON.stringify(Array(500).fill(nested))) };
  const told = (word: string) => ({ ...much, 'data/one.json': base64(JSON.stringify({ told: `${word}!` })) });
  const shown = (word: string) => slimReport(htmlOf(told(word)), { causes: [`401 for ${word}`], likely: [] });
  const page = shown(secret.reveal());
  assert.deepEqual(await unpacked(page), told('***'));
  assert.equal(page, shown('***'));
});

const tag = 'https://www.googletagmanager.com/gtag/js?id=G-X';
for (const [title, script] of [
  ['statistics of another form', `<script src='${tag}' async></script>`],
  ['statistics without a script of their own', '<script>window.dataLayer = [];</script>'],
  ['a style sheet of somebody else', '<link rel="stylesheet" href="//fonts.test/a.css">'],
  ['a beacon', "<script>navigator.sendBeacon('https://a.test', 'used')</script>"],
] as const)
  for (const page of [html, '<html><script>load("data.json")</script></html>'])
    test(`a page with ${title} is not used, ${page === html ? 'with' : 'without'} data`, () =>
      assert.throws(() => slimReport(page.replace('</html>', `${script}</html>`), green), /send usage data or load/));

test('a page without statistics is silent already, and addresses in its texts harm nothing', () => {
  const options = '<script>window.allureReportOptions = {"jobUrl":"https://ci.test/1"}</script>';
  const page = html.replaceAll(/<script async.*?<\/script>\s*<script>.*?<\/script>/gs, options);
  assert.match(slimReport(page, green), /https:\/\/ci\.test/);
});

test('a page of another form stays as it is', () => {
  const other = '<html><script>load("data.json")</script></html>';
  assert.equal(slimReport(other, red), other);
});

test('a red report says what went wrong above all, and opens at the causes; a green one does neither', () => {
  const shown = slimReport(html, red);
  assert.match(
    shown,
    /<body class="a"><aside [^>]*><b>staging · Stories: &lt;b&gt; answers 500 \(2 tests\)<\/b><br>Looks like: x<\/aside>/,
  );
  assert.match(shown, /#categories/);
  assert.doesNotMatch(slimReport(html, green), /<aside|#categories/);
});
