import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import type { TestResult } from 'allure-js-commons';
import { Secret } from '../../redaction/index.ts';
import { ownFolder } from '../../testing/own-folder.ts';
import { reportPage } from './report-page.ts';
import { ResultsWriter } from './results-writer.ts';

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

const causes = ['staging · Stories: <b> answers 500 (2 tests)'];
const DATA = Buffer.from('{"total":1,"title":"Größe"}'.repeat(9)).toString('base64');
const html = `<html><head></head><body class="a"><script>keep()</script>
    <script async src="https://www.googletagmanager.com/gtag/js?id=G-X"></script>
    <script>
        window.dataLayer = window.dataLayer || [];
        gtag('config', 'G-X', {"reportUuid": "u"});
    </script>
    <script>Promise.allSettled([d("widgets/statistic.json","${DATA}"),d("widgets/a.json","e30=")]).then(ready)</script></html>`;

const PROGRAM = 'start("ä");'.repeat(20);

test('a report keeps its program and data, and a secret around them is masked', async () => {
  const secret = new Secret('canary-of-the-report-41d2');
  const source = `<script src="data:text/javascript;base64,${Buffer.from(PROGRAM).toString('base64')}"></script></head>`;
  const page = reportPage(html.replace('</head>', source), [`401 for ${secret.reveal()}`]);
  const files: Record<string, string> = {};
  const d = (name: string, data: string) => Object.assign(files, { [name]: data });
  const programs: Blob[] = [];
  const browser = {
    ...{ Blob, Response, DecompressionStream, Uint8Array, atob, btoa, d },
    document: { createElement: () => ({}), head: { append: () => {} } },
    URL: { createObjectURL: (program: Blob) => programs.push(program) },
  };
  const scripts = [...page.matchAll(/<script>(\(async[\s\S]*?\))(?:\.then\(ready\)|;)<\/script>/g)];
  await Promise.all(scripts.map(([, script = '']) => runInNewContext(script, browser)));
  assert.deepEqual(files, { 'widgets/statistic.json': DATA, 'widgets/a.json': 'e30=' });
  assert.deepEqual(await Promise.all(programs.map((program) => program.text())), [PROGRAM]);
  assert.ok(!page.includes(DATA));
  assert.match(page, /401 for \*\*\*/);
  assert.doesNotMatch(page, /canary|googletagmanager|gtag/);
});

const tag = 'https://www.googletagmanager.com/gtag/js?id=G-X';
for (const [title, script] of [
  ['statistics of another form', `<script src='${tag}' async></script>`],
  ['statistics without a script of their own', '<script>window.dataLayer = [];</script>'],
  ['a style sheet of somebody else', '<link rel="stylesheet" href="//fonts.test/a.css">'],
  ['a beacon', "<script>navigator.sendBeacon('https://a.test', 'used')</script>"],
] as const)
  test(`a page with ${title} is not used`, () =>
    assert.throws(() => reportPage(html.replace('</html>', `${script}</html>`), []), /send usage data or load/));

test('a page without statistics is silent already, and addresses in its texts harm nothing', () => {
  const options = '<script>window.allureReportOptions = {"jobUrl":"https://ci.test/1"}</script>';
  const page = html.replaceAll(/<script async.*?<\/script>\s*<script>.*?<\/script>/gs, options);
  assert.match(reportPage(page, []), /https:\/\/ci\.test/);
});

test('a red report says what went wrong above all, and opens at the causes; a green one does neither', () => {
  assert.match(
    reportPage(html, causes),
    /<body class="a"><aside [^>]*><b>staging · Stories: &lt;b&gt; answers 500 \(2 tests\)<\/b><\/aside>/,
  );
  assert.match(reportPage(html, causes), /#categories/);
  assert.doesNotMatch(reportPage(html, []), /<aside|#categories/);
});
