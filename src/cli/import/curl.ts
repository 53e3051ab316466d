import { parseArgs } from 'node:util';
import { ConfigurationError } from '../../environment/configuration-error.ts';
import { shellCommands } from '../../environment/index.ts';
import { type Format, LeftOut, type SeenRequest, type Variable, variable } from './document.ts';

/** The format of curl commands for a POSIX shell, as browsers copy them, or of a script with such commands. */
export const curl: Format = {
  kind: 'curl commands',
  read: ({ text, file }) => {
    if (!text.includes('curl') || !HAS_CURL.test(text)) return undefined;
    if (/\^(\r?\n|")/.test(text))
      throw new ConfigurationError(`${file} is a curl command for cmd.exe. Copy it as cURL (bash).`);
    return scriptOf(text);
  },
};

/** Matches a call of curl at the beginning of a line or after a separator of commands, also behind a prompt or assignments of variables. */
const HAS_CURL =
  /(?:^|[;&|(]|\bdo|\bthen)[^\S\n]*(?:[$%>][^\S\n]+)?(?:\w{1,50}=\S{0,200}[^\S\n]+){0,20}curl(?:\.exe)?\s/m;

/** Whether an argument of the program is a curl command itself, and not a path. */
export function isCurl(text: string): boolean {
  return /^\s*(\$\s+)?curl(\.exe)?\s/.test(text);
}

const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;
/** Words that may stand before a command in a script. */
const BEFORE = ['$', '%', '>', '(', 'do', 'then', 'time', 'sudo', 'exec', 'export', 'declare', 'local', 'readonly'];

function scriptOf(text: string) {
  const requests: SeenRequest[] = [];
  const variables: Variable[] = [];
  const leftOut = new LeftOut();
  for (const { words, isPiped, line } of shellCommands(text, asVariable)) {
    const start = words.findIndex((word) => !BEFORE.includes(word) && !ASSIGNMENT.test(word));
    for (const word of words.slice(0, start < 0 ? undefined : start)) {
      const [, key, value] = ASSIGNMENT.exec(word) ?? [];
      if (key && value !== undefined) variables.push(variable(key, value));
    }
    const [name = '', ...args] = start < 0 ? [] : words.slice(start);
    if (/^(.*[/\\])?curl(\.exe)?$/.test(name)) {
      const sent = curlRequests(args, `line ${line}`, leftOut);
      requests.push(...sent.map((request) => ({ ...request, line })));
    }
    // Reports that the line contains another command than curl. Doesn't show its text, because the text may contain a secret. Reports
    // nothing for a command after a pipe, because it only reads what the previous command prints.
    else if (name !== '' && !isPiped) leftOut.add('other commands', `line ${line}`);
  }
  return requests.length > 0 ? { variables, requests, ignored: leftOut.lines } : undefined;
}

/**
 * Converts `$NAME` and `${NAME}` to `{{NAME}}`, the form of variables in other tools. The output of a command, `$(…)`, can't be known, so
 * `{{$(…)}}` takes its place.
 */
function asVariable(expansion: string): string {
  return `{{${/^\$\{?(\w+)/.exec(expansion)?.[1] ?? '$(…)'}}}`;
}

/** curl's options for the body of a request, each with its letter. */
const DATA = 'data:d data-ascii data-raw data-binary data-urlencode json';
/** Options that change the request, but that the import leaves out. */
const SENT = 'user:u cookie:b form:F form-string upload-file:T config:K cert:E key proxy:x proxy-user:U url-query';
const VALUED = `${DATA} ${SENT} request:X header:H url oauth2-bearer user-agent:A referer:e output:o max-time:m cookie-jar:c
  write-out:w connect-timeout resolve connect-to retry retry-delay range:r ciphers cacert capath dump-header:D interface
  limit-rate continue-at:C max-redirs proto socks5 socks5-hostname noproxy tls-max time-cond:z netrc-file stderr`;

const options = Object.fromEntries(
  VALUED.split(/\s+/).map((option) => {
    const [name = '', short] = option.split(':');
    return [name, { type: 'string', multiple: true, ...(short ? { short } : {}) } as const];
  }),
);

const names = (list: string) => list.split(' ').map((option) => option.split(':')[0] ?? '');

/** The requests of one call of curl, which may name several addresses. The options after `--next` apply to the addresses after `--next`. */
function curlRequests(args: readonly string[], place: string, leftOut: LeftOut): SeenRequest[] {
  const at = args.findIndex((arg) => arg === '--next' || arg === '-:');
  if (at >= 0) return [args.slice(0, at), args.slice(at + 1)].flatMap((part) => curlRequests(part, place, leftOut));
  const { values, positionals } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true });
  const given = (name: string) => [values[name] ?? []].flat().map(String);
  for (const name of names(SENT)) if (name in values) leftOut.add('options of curl', `--${name}`);
  const isGet = 'G' in values || 'get' in values;
  const data = isGet ? [] : names(DATA).flatMap(given);
  if (isGet && names(DATA).some((name) => name in values)) leftOut.add('options of curl', '--get with data');
  const usual = 'I' in values || 'head' in values ? 'HEAD' : data.length > 0 ? 'POST' : 'GET';
  const headers = given('header').filter((text) => /^[\w!#$%&'*+.^`|~-]+\s*[:;]/.test(text));
  if (given('header').some((text) => text.startsWith('@'))) leftOut.add('headers in files', '--header @…');
  else if (headers.length < given('header').length) leftOut.add('headers without a name', place);
  return [...given('url'), ...positionals].map((url) => ({
    method: given('request').at(-1) ?? usual,
    url: /^([a-z]+:\/\/|\{\{)/i.test(url) ? url : `http://${url}`,
    headers: [
      ...headers.map(headerOf),
      ...given('oauth2-bearer').map((token) => ['Authorization', `bearer ${token}`] as const),
    ],
    body: data.join('&') || undefined,
  }));
}

/** Parses a header `name: value`. curl's form `name;` is a header without a value. */
function headerOf(text: string): readonly [name: string, value: string] {
  const at = text.indexOf(':');
  return at < 0 ? [text.replace(/;$/, '').trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
