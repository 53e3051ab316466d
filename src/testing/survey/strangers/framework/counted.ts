import type { Stranger } from '../stranger.ts';
import { keysOf, type Manners, numbered } from './manners.ts';
import { framework } from './service.ts';
import { frameworkTruth } from './truth.ts';

// Node's manners: ids that a database counts, a validator that makes texts of numbers, one header whose schema forbids the empty text,
// the oldest first, one report per user without a provisioner, options in the first language for want of another.

const manners: Manners = {
  users: { 'node-token-1': '1', 'node-token-2': '2' },
  others: numbered('', 3, 8),
  apiKey: 'node-key-3141',
  client: 'node-client',
  story: '41',
  items: numbered('', 501, 6),
  languages: {
    en: { SEXUALLY_INAPPROPRIATE: 'Sexual content', SPAM: 'Spam' },
    fr: { SEXUALLY_INAPPROPRIATE: 'Contenu sexuel', SPAM: 'Pourriel' },
  },
  flag: ['beta', 'yes'],
  statuses: { invalid: 400, unknown: 404 },
  text: (value) => (['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined),
  error: (status, what) => ({ status, body: { statusCode: status, error: 'Refused', message: what } }),
  page: (all, offset, limit) => {
    if (limit < 1 || limit > 200) return undefined;
    const data = all.toReversed().slice(offset, offset + limit);
    return { data: data.map((id) => ({ id, name: `User ${id}` })), meta: { offset, limit } };
  },
  countsIds: true,
  reportsOnce: true,
  filledHeaders: ['app-bundle'],
  fallsBack: true,
};

/** Numbers for ids, oldest first, one report per user, one of four headers that must not be empty. */
export const counted: Stranger = {
  make: () => framework(manners),
  keys: { ...keysOf(manners), BLOCK_LIST_SEGMENTS: '0/100' },
  truth: [
    ['listBlocked listBlockers', /^answer-shape$/, /^\{data\??: \{id\??: \S+, name\??: \S+\}\[\], meta\??: .*\}$/],
    ['*', /^error-shape$/, 'application/json {statusCode, error, message}'],
    [
      'listBlocked listBlockers',
      /^paging$/,
      /^offset\/limit, first index 0, (cap undecided|no cap up to \d+), oldest first$/,
    ],
    ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, SPAM'],
    ['*', /^unknown-language$/, 'accepted'],
    ['*', /^languages$/, 'en, fr of 16 tried; an unknown one falls back'],
    ...frameworkTruth,
  ],
};
