import { gzipSync } from 'node:zlib';
import { type Redacted, redact, redactBytes, redactParts } from '../../client/index.ts';
import { escaped } from '../escaped.ts';

/** Allure's data in a single file: `Promise.allSettled([d("name","base64"),…]).then(function(){ … = true; })`. */
const DATA =
  /Promise\.allSettled\(\[(d\("[^"]*","[^"]*"\)(?:,d\("[^"]*","[^"]*"\))*)\]\)\s*\.then\(function\(\)\s*\{[^}]*\}\)/;

const ENTRY = /d\("([^"]*)","([^"]*)"\)/g;

/** Allure's program, as its package has it: the first script of the page, before anything of a run. */
const PROGRAM = /(?<=<script\s+src="data:text\/javascript;base64,)[\w+/=]+/;

/** Allure's own usage statistics, which a report of a private service must not send to anybody. */
const STATISTICS = /<script async src="https:\/\/www\.googletagmanager\.com[^>]*><\/script>\s*<script>[^<]*<\/script>/g;

/** Whatever a page loads from elsewhere or sends to somebody. */
const CALLS =
  /\b(?:src|href)\s*=\s*["']?\s*(?:https?:)?\/\/[^\s"'>]*|\b(?:gtag|dataLayer|sendBeacon|XMLHttpRequest)\b|\b(?:fetch|import)\(/;

/** Packed programs, fonts and data of a run, which would take long to search. */
const BASE64 = /[\w+/=]{100,}/g;

/** What a report says first: what went wrong, the gravest first, and what is likely behind it. */
interface ReportHead {
  readonly causes: readonly string[];
  readonly likely: readonly string[];
}

/**
 * An Allure report in a single file, a third of its size and without the script that reports its use to Google: its data, base64
 * of JSON and of attachments, is compressed. A browser unpacks it in some ms. If something failed, it says what above all, and opens
 * where Allure groups tests by cause. Data of another form stays as it is. Secrets are masked before the data is packed: to read them
 * in what is packed takes seconds, and of a whole suite more than may be read.
 * @throws Error when the page would still load something from elsewhere or report its use
 */
export function slimReport(html: string, head: ReportHead): Redacted {
  const silent = withoutStatistics(html);
  const [data = '', entries = ''] = DATA.exec(silent) ?? [];
  if (data === '') return redact(silent);
  const [before = '', after = ''] = silent.split(data);
  const opened = before
    .replace('</head>', () => `<script>${openingScript(head.causes.length > 0)}</script></head>`)
    .replace(/<body[^>]*>/, (body) => body + causesBanner(head));
  const { 0: program, index } = PROGRAM.exec(opened) ?? { 0: '', index: 0 };
  const around = [opened.slice(0, index), { clean: program }, opened.slice(index + program.length)];
  return redactParts([...around, { clean: unpackingScript(packed(entries)) }, after]);
}

function withoutStatistics(html: string): string {
  const silent = html.replace(STATISTICS, '');
  const call = CALLS.exec(silent.replace(BASE64, ''))?.[0];
  if (call === undefined) return silent;
  throw new Error(
    `Allure's page would send usage data or load something from elsewhere (${redact(call)}), and Sextant doesn't know how to remove that. Use the version of Allure that Sextant's lockfile names.`,
  );
}

/** Allure's tree cuts its lines on a phone; these wrap. */
function causesBanner({ causes, likely }: ReportHead): string {
  if (causes.length === 0) return '';
  const lines = [...causes.map((cause) => `<b>${escaped(cause)}</b>`), ...likely.map(escaped)];
  return `<aside style="font: 15px/1.5 system-ui, sans-serif; padding: .75rem 1rem; background: #b3261e; color: #fff; overflow-wrap: anywhere">${lines.join('<br>')}</aside>`;
}

/** Allure scrolls to the first test of its tree, past all that a phone has room for, so the page stays at its top until it is moved. */
function openingScript(hasFailed: boolean): string {
  const open = hasFailed ? "history.replaceState(null, '', '#categories');" : '';
  return `(function () {
        if (location.hash || location.search) return;
        ${open}
        var stay = function () { scrollTo(0, 0); };
        addEventListener('scroll', stay);
        ['pointerdown', 'wheel', 'touchstart', 'keydown'].forEach(function (each) {
          addEventListener(each, function () { removeEventListener('scroll', stay); }, { capture: true, passive: true });
        });
      })();`;
}

function packed(entries: string): string {
  // Compressed as base64 it would take twice the room: a repeated text has three forms there.
  const data = [...entries.matchAll(ENTRY)].map(([, name = '', base64 = '']) => [
    redact(name),
    Buffer.from(redactBytes(Buffer.from(base64, 'base64'))).toString('latin1'),
  ]);
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
