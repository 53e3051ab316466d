import type { Checked } from '../../config/index.ts';
import type { ChannelKey } from './channel.ts';

export function webAddress(value: string): Checked<string> {
  const url = URL.parse(value);
  return url && /^https?:$/.test(url.protocol) ? { value } : { problem: 'is not an http:// or https:// URL' };
}

export function longSecret(value: string): Checked<string> {
  return value.length >= 16 ? { value } : { problem: 'is shorter than 16 characters and could be guessed' };
}

export const required = (check: ChannelKey['check'], meaning: string): ChannelKey => ({
  check,
  meaning,
  required: true,
});

export const optional = (check: ChannelKey['check'], meaning: string, fallback?: string): ChannelKey => ({
  check,
  meaning,
  required: false,
  ...(fallback === undefined ? {} : { fallback }),
});
