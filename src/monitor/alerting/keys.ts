import type { Checked, KeyEntry } from '../../config/index.ts';

export function webAddress(value: string): Checked<string> {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) return { problem: 'is not an http:// or https:// URL' };
  if (url.port === '0') return { problem: 'has port 0, where nothing can listen' };
  // `fetch` refuses such an address at every call.
  if (url.username || url.password) return { problem: "contains a user or a password, which can't be sent" };
  return /\p{Cc}/u.test(value) ? { problem: 'contains a control character' } : { value };
}

export function longSecret(value: string): Checked<string> {
  return value.length >= 16 ? { value } : { problem: 'is shorter than 16 characters and could be guessed' };
}

export const required = (check: KeyEntry<string>['check'], meaning: string): KeyEntry<string> => ({
  check,
  meaning,
  required: true,
});

export const optional = <T>(check: (value: string) => Checked<T>, meaning: string, fallback?: string): KeyEntry<T> => ({
  check,
  meaning,
  ...(fallback === undefined ? {} : { fallback }),
});
