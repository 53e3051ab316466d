import type { Notice } from './notice.ts';

/** Short enough for any receiver's limits. */
const LONGEST = 200;
const MOST_SCENARIOS = 3;

/**
 * The same notice, as short and plain as it can be, for a receiver that refuses it as it is: too large, or with something in
 * it that it can't read. Reasons and calls, which hold the service's own words, are left to the page.
 */
export function plainNotice(notice: Notice): Notice {
  return {
    ...notice,
    headline: plain(notice.headline),
    scenarios: notice.scenarios
      .slice(0, MOST_SCENARIOS)
      .map(({ environment, title, area, verdict, since, isOpen }) => ({
        ...(environment ? { environment } : {}),
        title: plain(title),
        area,
        verdict,
        since,
        isOpen,
      })),
  };
}

/** In printable ASCII; accents go, what has no counterpart is a question mark. */
function plain(text: string): string {
  const ascii = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[“”«»]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/[–—→]/g, '-')
    .replace(/[^\x20-\x7e]/gu, '?');
  return ascii.length > LONGEST ? `${ascii.slice(0, LONGEST - 3)}...` : ascii;
}
