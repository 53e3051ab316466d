import type { Stranger } from '../stranger.ts';
import { keysOf, type Manners, numbered } from './manners.ts';
import { framework } from './service.ts';
import { frameworkTruth } from './truth.ts';

// Go's manners: maps, which are written in the order of their keys, nothing for an empty list, strict types, one line for an error.

const manners: Manners = {
  users: { 'go-token-1': 'kim', 'go-token-2': 'lou' },
  others: ['zed', 'amy', 'sue', 'bob', 'mia', 'dan', 'eve', 'tom'],
  apiKey: 'go-key-3141',
  client: 'go-client',
  story: 'story-1',
  items: numbered('i-', 1, 6),
  languages: {
    en: { SEXUALLY_INAPPROPRIATE: 'Nudity', SPAM: 'Spam' },
    fr: { SEXUALLY_INAPPROPRIATE: 'Nudité', SPAM: 'Indésirable' },
  },
  flag: ['beta', 'on'],
  statuses: { invalid: 400, unknown: 404 },
  text: (value) => (typeof value === 'string' ? value : undefined),
  error: (status, what) => ({ status, body: { error: `${what}: ${status}` } }),
  page: (all, offset, limit) => {
    const page = all.slice(offset, offset + Math.min(limit, 100)).sort();
    return { blocked: page.length > 0 ? Object.fromEntries(page.map((id) => [id, { since: 1_700_000_000 }])) : null };
  },
};

/** Maps sorted by their keys. */
export const sorted: Stranger = {
  make: () => framework(manners),
  keys: { ...keysOf(manners), BLOCK_LIST_SEGMENTS: '0/100' },
  truth: [
    [
      'listBlocked listBlockers',
      /^answer-shape$/,
      /^\{blocked\??: \{\[name\]: \{since\??: (integer|number)\}\} \| null\}$/,
    ],
    ['*', /^error-shape$/, 'application/json {error}'],
    ['*', /^wrong-type:/, 'refused with 400'],
    ['block', /^repeat$/, 'accepted'],
    [
      'listBlocked listBlockers',
      /^paging$/,
      /^offset\/limit, first index 0, (cap 100|no cap up to \d+), newest first$/,
    ],
    ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, SPAM'],
    ['*', /^languages$/, 'en, fr of 16 tried'],
    ...frameworkTruth,
  ],
};
