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
const html = `<html><script>keep()</script>
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
  const [, script = ''] = /<script defer>([^<]*)<\/script>/.exec(slimReport(html)) ?? [];
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
  assert.doesNotMatch(slimReport(html), /googletagmanager|gtag/);
  assert.match(slimReport(html), /keep\(\)/);
});

test('a page of another form stays as it is', () => {
  const other = '<html><script>load("data.json")</script></html>';
  assert.equal(slimReport(other), other);
});
