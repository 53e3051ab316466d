import { type Exchange, header } from '../../../client/index.ts';
import type { Found } from './found.ts';

/** As long as the key may be, in ms. */
const LONGEST_MS = 600_000;

/** Whether a list may be older than the last change, as far as its headers show it. `knownMs` is what counts now. */
export function lag({ response }: Exchange, knownMs: number): Found {
  const seconds = response ? cachedFor(header(response, 'cache-control') ?? '') : 0;
  if (seconds === 0)
    return {
      text: `No header says that the block list is cached. Whether it lags behind a change shows only after one: npx sextant survey; until then it may, for ${knownMs} ms.`,
    };
  const ms = Math.min((seconds + 1) * 1_000, LONGEST_MS);
  if (ms <= knownMs) return { text: `The block list is cached for ${seconds} s; it may lag for ${knownMs} ms.` };
  return {
    text: `The block list is cached for ${seconds} s, so it may lag behind a change for as long.`,
    sets: { key: 'CONSISTENCY_TIMEOUT_MS', value: String(ms) },
  };
}

/** Seconds for which a response may be repeated without asking the service (RFC 9111, 5.2.2). */
function cachedFor(control: string): number {
  if (/\bno-(store|cache)\b/i.test(control)) return 0;
  const ages = [...control.matchAll(/\b(?:s-maxage|max-age)\s*=\s*"?(\d{1,9})/gi)].map(([, age]) => Number(age));
  return Math.max(0, ...ages);
}
