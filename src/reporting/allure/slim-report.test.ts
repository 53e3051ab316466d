import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { slimReport } from './slim-report.ts';

const entries = {
  'widgets/statistic.json': Buffer.from('{"total":1,"title":"Größe"}').toString('base64'),
  'data/attachments/a.bin': Buffer.from([0, 255, 128, 10]).toString('base64'),
  'widgets/empty.json': '',
};
const data = Object.entries(entries).map(([name, value]) => `d("${name}","${value}")`);
const green = { causes: [], likely: [] };
const red = { causes: ['staging · Stories: <b> answers 500 (2 tests)'], likely: ['Looks like: x'] };
const html = `<html><head></head><body class="a"><script>keep()</script>
    <script async src="https://www.googletagmanager.com/gtag/js?id=G-X"></script>
    <script>
        window.dataLayer = window.dataLayer || [];
        gtag('config', 'G-X', {"reportUuid": "u"});
    </script>
    <script defer>
      Promise.allSettled([${data.join(',')}])
        .then(function(){
          window.allureReportDataReady = true;
        })
    </script></html>`;

test('a slim report holds the same data, and is ready once they are unpacked', async () => {
  const [, script = ''] = /<script defer>([^<]*)<\/script>/.exec(slimReport(html, green)) ?? [];
  const found: Record<string, string> = {};
  const window = { allureReportDataReady: false };
  const d = (name: string, value: string) => {
    found[name] = value;
  };
  const page = { window, d, atob, btoa, Blob, Response, DecompressionStream, Uint8Array, JSON };
  await runInNewContext(script, page);
  assert.deepEqual({ ...found }, entries);
  assert.equal(window.allureReportDataReady, true);
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
