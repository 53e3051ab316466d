import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { blockedBy } from '../state/index.ts';
import { correct, type Variant } from './kind.ts';
import {
  blockOnce,
  bodied,
  enveloped,
  ignoringUnknownFields,
  isBlocked,
  loveOnce,
  oneReadBehind,
  onlyWhere,
  onRefusal,
  onSuccess,
  refusalsAre,
  refusing,
  replying,
} from './tamper.ts';

type Entry = { readonly userId: string; readonly blockedAt: string };
type Option = { readonly code: string; readonly label: string };
type Body = Record<string, unknown>;

const shape = 'part 4, rule 8: response bodies and success status codes are not shown';
const errors = 'part 7: error codes, status codes and the error body are not shown';
const states = 'part 3: states and transitions are not shown';
const limits = 'part 8: limits (text length among them) are not shown';
const values = 'part 2: allowed values of status, gender and avatar item type are not shown';
const unshown = 'part 2: which fields are required is not shown';
const lag = 'CONSISTENCY_TIMEOUT_MS: how long a list may lag';

const listing = bodied<readonly Entry[]>;
const options = bodied<readonly Option[]>;

const only = (
  correctBecause: string,
  isFine: (body: Body) => boolean,
): Required<Pick<Variant, 'correctBecause' | 'validate'>> => ({ correctBecause, validate: onlyWhere(isFine) });

const isShort = (value: unknown, most: number) => value === undefined || String(value).length <= most;

const lenient = { correctBecause: unshown, validate: ignoringUnknownFields };

const lagging = oneReadBehind({ status: 200, body: [] });
const empty = replying(() => ({ status: 204 }));

const ofAll = (correctBecause: string, table: Readonly<Record<string, Partial<Variant>>>): Variant[] =>
  Object.entries(table).map(([name, facts]) => ({ name, operation: 'all', correctBecause, ...facts }));

/**
 * Correct variants of the service, which decide the specification's open points in another way. If the suite fails on one of them, this is
 * a false alarm.
 */
export const variants: readonly Variant[] = [
  ...ofAll(errors, {
    'refusals-are-plain-text': { respond: refusalsAre.texts },
    'refusals-are-web-pages': { respond: refusalsAre.pages },
  }),
  ...correct(shape, {
    'listBlocked-of-addresses': listing((list) =>
      list.map(({ userId }) => `https://users.example/v1/profile/client%7C${encodeURIComponent(userId)}`),
    ),
    'listBlockers-as-a-map-by-kind-and-id': listing((list) =>
      Object.fromEntries(list.map(({ userId, blockedAt }) => [`user:${userId}`, blockedAt])),
    ),
    'reportOptions-of-addresses': options((list) => list.map(({ code }) => ({ href: `/v1/reports/codes/${code}` }))),
    'updateProfile-creates-with-201': (original) => {
      const known = new Set<string>();
      return (visit) => {
        const reply = original(visit);
        const isNew = !known.has(visit.userId);
        known.add(visit.userId);
        return isNew ? { ...reply, status: 201 } : reply;
      };
    },
    'saveAvatar-of-short-names': only(limits, ({ name }) => isShort(name, 16)),
    'saveAvatar-of-items-of-type-1': only(values, ({ items }) => (items as Body[]).every(({ type }) => type === 1)),
    'updateProfile-of-short-texts': only(limits, ({ name, status }) => isShort(name, 16) && isShort(status, 16)),
    'updateProfile-of-two-genders': only(values, ({ gender }) => [undefined, 1, 2].includes(gender as 1)),
    'report-of-short-messages': only(limits, ({ message }) => isShort(message, 20)),
    'cloneType-of-short-versions': only(limits, ({ TypeVersion }) => isShort(TypeVersion, 8)),
  }),
  ...ofAll(errors, {
    unchanged: { correctBecause: 'nothing is changed' },
    'every-response-in-an-envelope': {
      correctBecause: shape,
      respond: enveloped,
    },
    'every-success-is-201-with-a-charset': {
      correctBecause: shape,
      respond: onSuccess(({ status, headers }) => ({
        status: 201,
        headers: status === 204 ? headers : { ...headers, 'content-type': 'application/json;charset=UTF-8' },
      })),
    },
    'every-response-is-compressed': {
      correctBecause: 'HTTP: the client accepts gzip',
      respond: () => (response) =>
        response.body === ''
          ? response
          : {
              ...response,
              headers: { ...response.headers, 'content-encoding': 'gzip' },
              body: Readable.from([gzipSync(String(response.body))]),
            },
    },
    'errors-are-problem-json': { respond: refusalsAre.problems },
    'errors-are-all-400-without-a-body': {
      respond: onRefusal(() => ({ status: 400, body: '' })),
    },
    'errors-are-422-and-403': {
      respond: onRefusal(({ status }) => ({ status: status === 401 ? 403 : status === 400 ? 422 : status })),
    },
    'unauthorized-requests-get-404': {
      respond: onRefusal(({ status }) => ({ status: status === 401 || status === 403 ? 404 : status })),
    },
  }),
  ...correct(shape, {
    'block-returns-204': empty,
    'unblock-returns-204': empty,
    'love-returns-204': empty,
    'unlove-returns-204': empty,
    'report-returns-204': empty,
    'cloneType-returns-204': empty,
    'saveAvatar-returns-204-for-an-update': replying((reply) => (reply.status === 200 ? { status: 204 } : reply)),
    'updateProfile-returns-204': empty,
    'block-returns-the-whole-list': (original) => (visit) => {
      original(visit);
      return { status: 200, body: blockedBy(visit.state, visit.userId, 0, 100) };
    },
    'block-twice-is-409': { correctBecause: states, handle: blockOnce },
    'unblock-without-a-block-is-404': { correctBecause: states, handle: refusing((visit) => !isBlocked(visit), 404) },
    'listBlocked-lags-one-read-behind': { correctBecause: lag, handle: lagging },
    'listBlockers-lag-one-read-behind': { correctBecause: lag, handle: lagging },
    'listBlocked-oldest-first': listing((list) => list.toReversed()),
    'listBlocked-of-bare-ids': listing((list) => list.map((entry) => entry.userId)),
    'listBlocked-as-a-map-by-id': listing((list) =>
      Object.fromEntries(list.map((entry) => [entry.userId, { since: entry.blockedAt }])),
    ),
    'listBlocked-as-a-page-with-a-separate-latest': listing((list) => ({
      total: list.length,
      latest: list[0] ?? null,
      page: { items: list, next: null },
    })),
    'listBlockers-of-whole-profiles': listing((list) =>
      list.map((entry) => ({ user: { id: entry.userId, profile: { name: 'Ada', tags: [] } } })),
    ),
    'love-twice-is-409': { correctBecause: states, handle: loveOnce },
    'reportOptions-as-a-map': options((list) => Object.fromEntries(list.map(({ code, label }) => [code, label]))),
    'reportOptions-as-bare-codes': options((list) => ({ options: list.map(({ code }) => code) })),
    'report-is-202': replying((reply) => ({ ...reply, status: 202 })),
    'evaluate-returns-the-bare-value': bodied<{ value: string }>(({ value }) => value),
    'evaluate-returns-a-map-by-key': bodied<{ key: string; value: string }>(({ key, value }) => ({
      flags: { [key]: { variation: value, reason: 'DEFAULT' } },
    })),
    'deleteItem-returns-the-deleted-id': (original) => (visit) => {
      original(visit);
      return { status: 200, body: { deleted: visit.args.id } };
    },
    'deleteItem-again-is-204': {
      correctBecause: 'part 7: errors are not shown',
      respond: onRefusal(({ status, headers }) =>
        status === 404 ? { status: 204, body: '', headers: { ...headers, 'content-type': undefined } } : {},
      ),
    },
    'readProfile-in-a-nested-record': bodied((body) => ({ result: { person: { card: body } } })),
    'updateProfile-answers-with-long-headers': {
      correctBecause: 'part 8: limits are not shown; MAX_HEADER_BYTES is a limit of the suite',
      respond: () => (response) => ({ ...response, headers: { ...response.headers, 'x-padding': 'x'.repeat(20_000) } }),
    },
    'block-ignores-unknown-fields': lenient,
    'saveAvatar-ignores-unknown-fields': lenient,
    'updateProfile-ignores-unknown-fields': lenient,
    'evaluate-ignores-unknown-fields': lenient,
  }),
];
