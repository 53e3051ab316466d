import { gzipSync } from 'node:zlib';
import { type Redacted, redact, redactParts } from '../../redaction/index.ts';
import { escaped } from '../escaped.ts';

/** Allure's own usage statistics, which a report of a private service must not send to anybody. */
const STATISTICS = /<script async src="https:\/\/www\.googletagmanager\.com[^>]*><\/script>\s*<script>[^<]*<\/script>/g;

/** Every way in which a page loads something from another server or sends data to one. */
const CALLS =
  /\b(?:src|href)\s*=\s*["']?\s*(?:https?:)?\/\/[^\s"'>]*|\b(?:gtag|dataLayer|sendBeacon|XMLHttpRequest)\b|\b(?:fetch|import)\(/;

/** Long base64: Allure's own files, or data that was redacted when it was written. It is not searched again. */
const BASE64 = /([\w+/=]{100,})/;

/** Matches the calls with which Allure's page passes its data to its JavaScript, file by file. That JavaScript waits for these calls. */
const DATA = /Promise\.allSettled\(\[((?:d\("[^"]*","[\w+/=]*"\),?)+)\]\)/;

/** Opens the report at its categories, unless the URL points to a test. */
const OPEN_CAUSES =
  "<script>location.hash || location.search || history.replaceState(null, '', '#categories');</script>";

/**
 * Returns an Allure report without the script that reports its use to Google. If something failed, the page shows the causes at the top,
 * the gravest first, and opens at the tests grouped by cause.
 * @throws Error if the page would still load something from another server or report its use
 */
export function reportPage(html: string, causes: readonly string[]): Redacted {
  const silent = html.replace(STATISTICS, '');
  const call = CALLS.exec(silent.split(BASE64).filter(isText).join(''))?.[0];
  if (call !== undefined)
    throw new Error(
      `Allure's page would send usage data or load something from elsewhere (${redact(call)}), and Sextant doesn't know how to remove that. Use the version of Allure that Sextant's lockfile names.`,
    );
  const opened = silent
    .replace('</head>', (end) => (causes.length > 0 ? OPEN_CAUSES : '') + end)
    .replace(/<body[^>]*>/, (body) => body + causesBanner(causes));
  return redactParts(
    compressed(opened)
      .split(BASE64)
      .map((part, index) => (isText(part, index) ? part : { clean: part })),
  );
}

/** Matches the JavaScript of Allure's page, which is most of the page. */
const PROGRAM = /<script[^>]*? src="data:text\/javascript;base64,([\w+/=]*)"><\/script>/;

/**
 * Compresses the JavaScript and the data of a page; the browser decompresses them. This halves the JavaScript and shrinks the data even
 * more, because test results resemble each other. Allure's base64 alone makes both a third longer.
 */
function compressed(page: string): string {
  return page
    .replace(DATA, (_, calls: string) => {
      const files = [...calls.matchAll(/d\("([^"]*)","([^"]*)"\)/g)].map(([, name, data = '']) => [name, atob(data)]);
      return unpacking(
        'new Response(stream).text()',
        JSON.stringify(files),
        'for (const [name, data] of JSON.parse(all)) d(name, btoa(data));',
      );
    })
    .replace(PROGRAM, (_, program: string) => {
      const start =
        "document.head.append(Object.assign(document.createElement('script'), { src: URL.createObjectURL(all) }));";
      return `<script>${unpacking('new Response(stream).blob()', Buffer.from(program, 'base64'), start)};</script>`;
    });
}

/**
 * Returns JavaScript that decompresses `content` in the browser, reads it with `read` into the variable `all`, and then runs `then`. The
 * JavaScript evaluates to a promise.
 */
function unpacking(read: string, content: string | Buffer, then: string): string {
  return `(async packed => {
        const bytes = new Blob([Uint8Array.from(atob(packed), c => c.charCodeAt(0))]);
        const stream = bytes.stream().pipeThrough(new DecompressionStream('gzip'));
        const all = await ${read};
        ${then}
      })("${gzipSync(content, { level: 9 }).toString('base64')}")`;
}

/** Whether a part of a page is text. `BASE64` splits the page so that every second part is base64. */
function isText(_: string, index: number): boolean {
  return index % 2 === 0;
}

/** A banner with the causes in lines that wrap, because Allure's own tree cuts long lines on a phone. */
function causesBanner(causes: readonly string[]): string {
  if (causes.length === 0) return '';
  const lines = causes.map((cause) => `<b>${escaped(cause)}</b>`);
  return `<aside style="font: 15px/1.5 system-ui, sans-serif; padding: .75rem 1rem; background: #b3261e; color: #fff; overflow-wrap: anywhere">${lines.join('<br>')}</aside>`;
}
