import { framework, keysOf, type Manners } from './framework.ts';
import type { Stranger } from './stranger.ts';

// Python's manners: pages with links to their neighbours, texts that are trimmed and made of numbers, 400 for every invalid field.

const manners: Manners = {
  users: { 'py-token-1': 'u-1', 'py-token-2': 'u-2' },
  others: Array.from({ length: 8 }, (_, index) => `u-${index + 3}`),
  apiKey: 'py-key-3141',
  client: 'py-client',
  story: 'story-1',
  items: ['i-1', 'i-2', 'i-3', 'i-4', 'i-5', 'i-6'],
  languages: {
    en: { SEXUALLY_INAPPROPRIATE: 'Sexually inappropriate', SPAM: 'It is spam' },
    de: { SEXUALLY_INAPPROPRIATE: 'Sexuell unangemessen', SPAM: 'Es ist Werbung' },
  },
  flag: ['beta', 'variant-b'],
  statuses: { invalid: 400, unknown: 404, again: 400 },
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

/** Pages with links, numbers that become texts, foreign keys. */
export const linked: Stranger = {
  make: () => framework(manners),
  keys: { ...keysOf(manners), BLOCK_LIST_SEGMENTS: '1/50' },
  truth: [
    ['block report cloneType', /^success-status$/, '201'],
    ['unblock deleteItem', /^success-status$/, '204'],
    ['*', /^success-status$/, /^(200|201, 200|200; the first save .*)$/],
    ['unblock deleteItem', /^answer-shape$/, 'no body'],
    [
      'listBlocked listBlockers',
      /^answer-shape$/,
      /^\{count\??: (integer|number), next\??: .*, previous\??: .*, results\??: \{id\??: string\}\[\]\}$/,
    ],
    ['*', /^answer-shape$/, /^\{.*\}$/],
    ['evaluate cloneType', /^(missing|wrong)-header:mm-api-key$/, 'refused with 401'],
    ['evaluate cloneType', /^missing-header:/, 'refused with 400'],
    ['evaluate', /^wrong-header:app-ver$/, 'refused with 400'],
    ['evaluate cloneType', /^wrong-header:/, 'accepted'],
    ['*', /^(missing|wrong)-header:Authorization$/, 'refused with 401'],
    ['*', /^(missing|wrong)-header:/, 'refused with 403'],
    ['*', /^scheme-case$/, 'any case'],
    ['*', /^token-user$/, 'tied'],
    ['block unblock', /^method-not-allowed$/, /^refused with (404|405)$/],
    ['*', /^method-not-allowed$/, 'refused with 405'],
    ['*', /^error-shape$/, /^(missing header: |application\/json \{detail\}$)/],
    ['block unblock', /^required-field:friendId$/, 'required, else 400'],
    ['love unlove', /^required-field:storyId$/, 'required, else 400'],
    ['report', /^required-field:(storyId|reports)$/, 'required, else 400'],
    ['cloneType', /^required-field:(FromClientId|TypeName|TypeVersion)$/, 'required, else 400'],
    ['saveAvatar', /^required-field:name$/, 'required, else 400'],
    ['evaluate', /^required-field:key$/, 'required, else 400'],
    ['*', /^required-field:/, 'optional'],
    ['block love unlove report', /^wrong-type:(friendId|storyId)$/, 'accepted as text'],
    ['cloneType', /^wrong-type:(FromClientId|TypeName)$/, 'accepted as text'],
    ['*', /^wrong-type:(Files|IsSetDefaultTypeVersion|reports|items|gender|contextData)$/, 'refused with 400'],
    ['*', /^wrong-type:/, 'accepted'],
    ['*', /^(unknown-field|missing-content-type)$/, 'accepted'],
    ['*', /^malformed-json$/, 'refused with 400'],
    ['*', /^text-limit:/, 'none up to 10000 characters'],
    ['*', /^allowed-values:/, /^all that were tried: /],
    ['block', /^repeat$/, 'refused with 400'],
    ['deleteItem', /^repeat$/, 'refused with 404'],
    ['cloneType', /^repeat$/, 'refused with 409'],
    ['*', /^repeat$/, 'accepted'],
    ['unblock', /^unknown-user$/, 'accepted'],
    ['*', /^unknown-code$/, 'refused with 400'],
    ['*', /^unknown-/, 'refused with 404'],
    ['listBlocked listBlockers', /^paging$/, /^page\/size, first index 1, no cap up to \d+, newest first$/],
    ['*', /^block-visible$/, 'at once'],
    ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, SPAM'],
    ['*', /^languages$/, 'de, en of 16 tried'],
    ['*', /^default-fallback$/, 'the default, unchanged'],
    ['*', /^includes-effect$/, 'only the fields named are applied; avartarUrl names url'],
    ['*', /^own-request$/, 'GET /v1/profile/{userId}'],
  ],
};
