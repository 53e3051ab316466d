import { parseArgs } from 'node:util';
import { ConfigurationError } from '../../configuration-error.ts';
import { shellWords } from '../../shell-words.ts';
import type { Format, SeenRequest } from '../document.ts';

/** A command as browsers copy it, for a POSIX shell. */
export const curl: Format = {
  kind: 'a curl command',
  read: ({ text, file }) => {
    if (!isCurl(text)) return undefined;
    if (/\^(\r?\n|")/.test(text))
      throw new ConfigurationError(`${file} is a curl command for cmd.exe. Copy it as cURL (bash).`);
    const request = curlRequest(shellWords(text.replace(/^\s*\$\s+/, '').trim()).slice(1));
    return request ? { variables: [], requests: [request] } : undefined;
  },
};

export function isCurl(text: string): boolean {
  return /^\s*(\$\s+)?curl(\.exe)?\s/.test(text);
}

/** Options with a value, as curl's own list has them, each with its letter; those of data are its body. */
const DATA = 'data:d data-ascii data-raw data-binary data-urlencode json';
const VALUED = `${DATA} request:X header:H url oauth2-bearer user:u cookie:b user-agent:A referer:e output:o proxy:x max-time:m
  cookie-jar:c write-out:w form:F upload-file:T cacert cert:E key connect-timeout resolve retry range:r ciphers`;

const options = Object.fromEntries(
  VALUED.split(/\s+/).map((option) => {
    const [name = '', short] = option.split(':');
    return [name, { type: 'string', multiple: true, ...(short ? { short } : {}) } as const];
  }),
);

function curlRequest(args: string[]): SeenRequest | undefined {
  const { values, positionals } = parseArgs({ args, options, strict: false, allowPositionals: true });
  const given = (name: string) => [values[name] ?? []].flat().map(String);
  const [url] = [...given('url'), ...positionals];
  if (!url) return undefined;
  const isGet = 'G' in values || 'get' in values;
  const data = isGet ? [] : DATA.split(' ').flatMap((option) => given(option.split(':')[0] ?? ''));
  const usual = 'I' in values || 'head' in values ? 'HEAD' : data.length > 0 ? 'POST' : 'GET';
  return {
    method: given('request').at(-1) ?? usual,
    url: /^[a-z]+:\/\//i.test(url) ? url : `http://${url}`,
    headers: [
      ...given('header').map(headerOf),
      ...given('oauth2-bearer').map((token) => ['Authorization', `bearer ${token}`] as const),
    ],
    body: data.join('&') || undefined,
  };
}

/** `name: value`; `name;` is one without a value. */
function headerOf(text: string): readonly [name: string, value: string] {
  const at = text.indexOf(':');
  return at < 0 ? [text.replace(/;$/, '').trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
