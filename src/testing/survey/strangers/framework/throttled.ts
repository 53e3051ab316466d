import type { Stranger } from '../stranger.ts';
import { keysOf, type Manners, numbered } from './manners.ts';
import { framework } from './service.ts';
import { frameworkTruth } from './truth.ts';

// Java's manners: numbered pages with all that a page has, numbers that become texts, a rate limit in front, one report per user.
// A provisioner stands beside it.

const manners: Manners = {
  users: { 'jvm-token-1': 'ana', 'jvm-token-2': 'ben' },
  others: ['cem', 'dia'],
  apiKey: 'jvm-key-3141',
  client: 'jvm-client',
  story: 'story-1',
  items: numbered('i-', 1, 3),
  languages: { en: { SEXUALLY_INAPPROPRIATE: 'Nudity', SPAM: 'Spam', HATE: 'Hate' } },
  flag: ['beta', 'blue'],
  statuses: { invalid: 400, unknown: 422, again: 409 },
  text: (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined),
  error: (status, what, { path }) => ({
    status,
    body: { timestamp: new Date().toISOString(), status, error: what, path },
  }),
  page: (all, page, size) => {
    if (size < 1) return undefined;
    const content = all.slice(page * size, (page + 1) * size).map((userId) => ({ userId }));
    const last = (page + 1) * size >= all.length;
    return {
      content,
      pageable: { pageNumber: page, pageSize: size },
      last,
      totalElements: all.length,
      empty: content.length === 0,
    };
  },
  reportsOnce: true,
  rate: { limit: 300, windowMs: 2_000 },
};

/** A rate limit, one report per user, and fresh users for the asking. */
export const throttled: Stranger = {
  make: () => framework(manners),
  keys: { ...keysOf(manners), BLOCK_LIST_SEGMENTS: '0/50', PROVISION_URL: '{url}/provision' },
  truth: [
    ['saveAvatar', /^success-status$/, '201, 200'],
    ['listBlocked listBlockers', /^answer-shape$/, /^\{content\??: \{userId\??: \S+\}\[\], pageable\??: .*\}$/],
    ['*', /^error-shape$/, 'application/json {timestamp, status, error, path}'],
    ['block', /^repeat$/, 'refused with 409'],
    ['deleteItem', /^(repeat|unknown-item)$/, 'refused with 422'],
    ['unblock', /^unknown-user$/, 'accepted'],
    ['*', /^unknown-(user|story|language)$/, 'refused with 422'],
    ['listBlocked listBlockers', /^paging$/, /^page\/size, first index 0, no cap up to \d+, newest first$/],
    ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, HATE, SPAM'],
    ['*', /^languages$/, 'en of 16 tried'],
    ...frameworkTruth,
  ],
};
