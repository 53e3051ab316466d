import { gzipSync } from 'node:zlib';
import { type Redacted, redact, redactParts } from '../../redaction/index.ts';
import { escaped } from '../escaped.ts';

/** Allure's own usage statistics, which a report of a private service must not send to anybody. */
const STATISTICS = /<script async src="https:\/\/www\.googletagmanager\.com[^>]*><\/script>\s*<script>[^<]*<\/script>/g;

/** Every way in which a page loads something from elsewhere or sends something to somebody. */
const CALLS =
  /\b(?:src|href)\s*=\s*["']?\s*(?:https?:)?\/\/[^\s"'>]*|\b(?:gtag|dataLayer|sendBeacon|XMLHttpRequest)\b|\b(?:fetch|import)\(/;

/** Allure's programs and fonts, as its package has them, and its data, whose secrets were masked when its results were written. */
const BASE64 = /([\w+/=]{100,})/;

/** How Allure's page hands its data to its program, file by file; the program waits for that. */
const DATA = /Promise\.allSettled\(\[((?:d\("[^"]*","[\w+/=]*"\),?)+)\]\)/;

/** A link to a test leads there. */
const OPEN_CAUSES =
  "<script>location.hash || location.search || history.replaceState(null, '', '#categories');</script>";

/**
 * An Allure report without the script that reports its use to Google. If something failed, it shows the causes above all, the gravest first, and opens where
 * Allure groups tests by cause.
 * @throws Error when the page would still load something from elsewhere or report its use
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

/** The program of Allure's page, which is most of the page. */
const PROGRAM = /<script[^>]*? src="data:text\/javascript;base64,([\w+/=]*)"><\/script>/;

/** A page whose program and data the browser decompresses: that halves the one, and tests resemble each other. Base64 alone makes a third more of both. */
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

/** A promise of what `then` does with `all` of the content, in the browser. */
function unpacking(read: string, content: string | Buffer, then: string): string {
  return `(async packed => {
        const bytes = new Blob([Uint8Array.from(atob(packed), c => c.charCodeAt(0))]);
        const stream = bytes.stream().pipeThrough(new DecompressionStream('gzip'));
        const all = await ${read};
        ${then}
      })("${gzipSync(content, { level: 9 }).toString('base64')}")`;
}

/** Of a page that is split at its base64, every other part is that. */
function isText(_: string, index: number): boolean {
  return index % 2 === 0;
}

/** Allure's tree cuts its lines on a phone; these wrap. */
function causesBanner(causes: readonly string[]): string {
  if (causes.length === 0) return '';
  const lines = causes.map((cause) => `<b>${escaped(cause)}</b>`);
  return `<aside style="font: 15px/1.5 system-ui, sans-serif; padding: .75rem 1rem; background: #b3261e; color: #fff; overflow-wrap: anywhere">${lines.join('<br>')}</aside>`;
}
