import { gzipSync } from 'node:zlib';

/** Allure's data in a single file: `Promise.allSettled([d("name","base64"),…]).then(function(){ … = true; })`. */
const DATA =
  /Promise\.allSettled\(\[(d\("[^"]*","[^"]*"\)(?:,d\("[^"]*","[^"]*"\))*)\]\)\s*\.then\(function\(\)\s*\{[^}]*\}\)/;

const ENTRY = /d\("([^"]*)","([^"]*)"\)/g;

/** Allure's own usage statistics, which a report of a private service must not send to anybody. */
const STATISTICS = /<script async src="https:\/\/www\.googletagmanager\.com[^>]*><\/script>\s*<script>[^<]*<\/script>/g;

/**
 * An Allure report in a single file, a third of its size and without the script that reports its use to Google: its data, base64
 * of JSON and of attachments, is compressed. A browser unpacks it in some ms. What isn't recognised stays as it is.
 */
export function slimReport(html: string): string {
  return html.replace(STATISTICS, '').replace(DATA, (_, entries: string) => unpackingScript(packed(entries)));
}

function packed(entries: string): string {
  // Compressed as base64 it would take twice the room: a repeated text has three forms there.
  const data = [...entries.matchAll(ENTRY)].map(([, name = '', base64 = '']) => [name, atob(base64)]);
  return gzipSync(JSON.stringify(data), { level: 9 }).toString('base64');
}

function unpackingScript(base64: string): string {
  return `(async function () {
        var bytes = Uint8Array.from(atob("${base64}"), function (c) { return c.charCodeAt(0); });
        var stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
        JSON.parse(await new Response(stream).text()).forEach(function (each) { d(each[0], btoa(each[1])); });
        window.allureReportDataReady = true;
      })()`;
}
