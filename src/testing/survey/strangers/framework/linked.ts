import type { Stranger } from '../stranger.ts';
import { keysOf, type Manners, numbered } from './manners.ts';
import { framework } from './service.ts';
import { frameworkTruth } from './truth.ts';

// Python's manners: pages with links to their neighbours, texts that are trimmed, made of numbers and never blank again, 400 for every
// invalid field.

const manners: Manners = {
  users: { 'py-token-1': 'u-1', 'py-token-2': 'u-2' },
  others: numbered('u-', 3, 8),
  apiKey: 'py-key-3141',
  client: 'py-client',
  story: 'story-1',
  items: numbered('i-', 1, 6),
  languages: {
    en: { SEXUALLY_INAPPROPRIATE: 'Sexually inappropriate', SPAM: 'It is spam' },
    de: { SEXUALLY_INAPPROPRIATE: 'Sexuell unangemessen', SPAM: 'Es ist Werbung' },
  },
  flag: ['beta', 'variant-b'],
  statuses: { invalid: 400, unknown: 404, again: 400 },
  noBlanks: true,
  text: (value) => (typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : undefined),
  error: (status, what) => ({ status, body: status === 400 ? { [what]: ['Invalid.'] } : { detail: what } }),
  page: (all, given, size, { path }) => {
    const page = Math.max(1, given);
    if (size < 1 || (page > 1 && (page - 1) * size >= all.length)) return undefined;
    const link = (number: number) => path.replace(/\d+\/\d+$/, `${number}/${size}`);
    return {
      count: all.length,
      next: page * size < all.length ? link(page + 1) : null,
      previous: page > 1 ? link(page - 1) : null,
      results: all.slice((page - 1) * size, page * size).map((id) => ({ id })),
    };
  },
};

/** Pages with links, numbers that become texts, no blanks, foreign keys. */
export const linked: Stranger = {
  make: () => framework(manners),
  keys: { ...keysOf(manners), BLOCK_LIST_SEGMENTS: '1/50' },
  truth: [
    [
      'listBlocked listBlockers',
      /^answer-shape$/,
      /^\{count\??: (integer|number), next\??: .*, previous\??: .*, results\??: \{id\??: string\}\[\]\}$/,
    ],
    ['*', /^error-shape$/, /^(missing header: |application\/json \{detail\}$)/],
    ['block', /^repeat$/, 'refused with 400'],
    ['*', /^allowed-values:status$/, '"online", "away", "sextant-invented"; not ""'],
    ['listBlocked listBlockers', /^paging$/, /^page\/size, first index 1, no cap up to \d+, newest first$/],
    ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, SPAM'],
    ['*', /^languages$/, 'de, en of 16 tried'],
    ...frameworkTruth,
  ],
};
