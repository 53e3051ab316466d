import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { Secret } from '../../client/index.ts';
import { slimReport } from './slim-report.ts';

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

test('it sends nothing to anybody', () => {
  assert.doesNotMatch(slimReport(html, green), /googletagmanager|gtag/);
  assert.match(slimReport(html, green), /keep\(\)/);
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
