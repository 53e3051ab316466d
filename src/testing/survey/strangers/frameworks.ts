import { framework, type Manners, numbered, OTHER_CLIENT, styleOf } from './manners.ts';
import { plain } from './stock.ts';
import { type Stranger, strangerOf } from './stranger.ts';
import { lists, type Truth } from './truth.ts';

const frameworkTruth: Truth = [
  ['block report cloneType', /^success-status$/, '201'],
  ['unblock deleteItem', /^success-status$/, '204'],
  ['*', /^success-status$/, /^(200|201, 200|200; the first save .*)$/],
  ['unblock deleteItem', /^answer-shape$/, 'no body'],
  ['*', /^answer-shape$/, /^\{.*\}$/],
  ['block love unlove report cloneType', /^wrong-type:(\w+Id|TypeName)$/, 'accepted as text'],
  ['*', /^wrong-type:(Files|IsSetDefaultTypeVersion|reports|items|gender|contextData)$/, 'refused with 400'],
  ['*', /^(unknown-field|missing-content-type)$/, 'accepted'],
  // An empty header is accepted, except for `app-ver`, which must be a number.
  ['cloneType evaluate', /^empty-header:(?!app-ver$)/, 'accepted'],
  ['love', /^love-shown$/, "the friend's next response to love shows it at /loves"],
  ['saveAvatar', /^avatar-shown$/, 'shown'],
];

/**
 * A service that behaves as `manners` say. `keys`: further keys of its environment; `truth`: answers that differ from those of other
 * frameworks.
 */
const ofManners = (manners: Manners, keys: Stranger['keys'], truth: Truth): Stranger => {
  const more = { OTHER_CLIENT_ID: OTHER_CLIENT, OTHER_USER_IDS: manners.others.join(','), FLAG_VALUE: plain.flag[1] };
  return strangerOf(styleOf(manners), { ...more, ...keys }, [...truth, ...frameworkTruth], () => framework(manners));
};

// Behaves like a Python framework: pages link to the pages before and after, texts are trimmed, numbers become texts, an update can't make
// a text empty, and every invalid field is refused with 400.
export const linked = ofManners(
  {
    users: { 'py-token-1': 'u-1', 'py-token-2': 'u-2' },
    others: numbered('u-', 3, 8),
    story: 'story-1',
    items: numbered('i-', 1, 6),
    options: {
      en: { SEXUALLY_INAPPROPRIATE: 'Sexually inappropriate', SPAM: 'It is spam' },
      de: { SEXUALLY_INAPPROPRIATE: 'Sexuell unangemessen', SPAM: 'Es ist Werbung' },
    },
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
  },
  { BLOCK_LIST_SEGMENTS: '1/50' },
  [
    ['updateProfile', /^spaces-around$/, 'removed'],
    [
      lists,
      /^answer-shape$/,
      /^\{count\??: (integer|number), next\??: .*, previous\??: .*, results\??: \{id\??: string\}\[\]\}$/,
    ],
    ['*', /^error-shape$/, /^(missing header: |application\/json \{detail\}$)/],
    ['*', /^allowed-values:status$/, '"online", "away", "sextant-invented"; not ""'],
    [lists, /^paging$/, 'page/size, first index 1, newest first'],
  ],
);

// Behaves like a Java framework: pages are numbered and describe themselves in detail, numbers become texts, a rate limit comes before all
// other checks, and a user can report a story once. The service has a provisioner.
export const throttled = ofManners(
  {
    users: { 'jvm-token-1': 'ana', 'jvm-token-2': 'ben' },
    others: ['cem', 'dia'],
    story: 'story-1',
    items: numbered('i-', 1, 3),
    options: { en: { SEXUALLY_INAPPROPRIATE: 'Nudity', SPAM: 'Spam', HATE: 'Hate' } },
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
  },
  { BLOCK_LIST_SEGMENTS: '0/50', PROVISION_URL: '{url}/provision' },
  [
    ['saveAvatar', /^success-status$/, '201, 200'],
    ['report', /^repeat$/, 'refused with 409'],
    [lists, /^answer-shape$/, /^\{content\??: \{userId\??: \S+\}\[\], pageable\??: .*\}$/],
    ['*', /^error-shape$/, 'application/json {timestamp, status, error, path}'],
    [lists, /^paging$/, 'page/size, first index 0, newest first'],
  ],
);
