import type { Format, SeenRequest } from '../document.ts';
import { curlWords } from './curl-words.ts';

/** A command as browsers copy it, for a POSIX shell or for cmd.exe. */
export const curl: Format = {
  kind: 'a curl command',
  read: ({ text }) => {
    if (!/^\s*(\$\s+)?curl(\.exe)?\s/.test(text)) return undefined;
    const request = curlRequest(curlWords(text.replace(/^\s*\$\s+/, '').trim()).slice(1));
    return request ? { variables: [], requests: [request] } : undefined;
  },
};

/** Options with a value, as curl's own list has them, by what it is; others are skipped with theirs. */
const withValue: ReadonlyMap<string, string> = new Map(
  Object.entries({
    method: '-X --request',
    header: '-H --header',
    data: '-d --data --data-ascii --data-raw --data-binary --data-urlencode --json',
    url: '--url',
    user: '-u --user --oauth2-bearer',
    skipped:
      '-b --cookie -A --user-agent -e --referer -o --output -x --proxy -m --max-time -c --cookie-jar -w --write-out -F --form ' +
      '-T --upload-file --cacert --cert -E --key --connect-timeout --resolve --retry -r --range --ciphers',
  }).flatMap(([kind, options]) => options.split(' ').map((option) => [option, kind] as const)),
);

function curlRequest(words: readonly string[]): SeenRequest | undefined {
  let method: string | undefined;
  let url = '';
  let isGet = false;
  const headers: [string, string][] = [];
  const data: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!word.startsWith('-')) {
      url ||= word;
      continue;
    }
    const [option, attached] = optionOf(word);
    const kind = withValue.get(option);
    if (option === '-G' || option === '--get') isGet = true;
    if (option === '-I' || option === '--head') method ??= 'HEAD';
    if (kind === undefined) continue;
    const value = attached ?? words[++at] ?? '';
    if (kind === 'method') method = value;
    else if (kind === 'url') url ||= value;
    else if (kind === 'data') data.push(value);
    else if (kind === 'header') headers.push(headerOf(value));
    else if (option === '--oauth2-bearer') headers.push(['Authorization', `bearer ${value}`]);
  }
  if (url === '') return undefined;
  const body = data.join('&');
  return {
    method: method ?? (data.length > 0 && !isGet ? 'POST' : 'GET'),
    url: /^[a-z]+:\/\//i.test(url) ? url : `http://${url}`,
    headers,
    body: body === '' || isGet ? undefined : body,
  };
}

/** `-XPOST` is `-X POST`, `--request=POST` is not curl's but happens; `-sH` are two. */
function optionOf(word: string): readonly [option: string, attached: string | undefined] {
  if (word.startsWith('--')) {
    const [, option = word, value] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
    return [option, value];
  }
  for (let at = 1; at < word.length; at++) {
    const option = `-${word[at]}`;
    if (withValue.has(option)) return [option, at + 1 < word.length ? word.slice(at + 1) : undefined];
  }
  return [word, undefined];
}

/** `name: value`; `name;` is one without a value. */
function headerOf(text: string): [string, string] {
  const at = text.indexOf(':');
  return at < 0 ? [text.replace(/;$/, '').trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
