import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { CallableId } from '../../../src/spec/index.ts';
import type { Handler } from '../../handler-request.ts';
import type { Reply } from '../../json-server.ts';
import { Refusal } from '../../refusal.ts';
import { handle, type Variant } from '../kind.ts';
import { bodied, onRefusal, onSuccess, parsedBody, replying } from '../tamper.ts';
import { limitVariants } from './limits.ts';
import { messageVariants } from './messages.ts';

type Entry = { readonly userId: string; readonly blockedAt: string };
type Option = { readonly code: string; readonly label: string };

const shape = 'part 4, rule 8: response bodies and success status codes are not shown';
const errors = 'part 7: error codes, status codes and the error body are not shown';

const listing = (change: (list: readonly Entry[]) => unknown) => bodied((body) => change(body as readonly Entry[]));
const variant = (
  name: string,
  operation: CallableId | 'all',
  correctBecause: string,
  wrong: Omit<Variant, 'name' | 'operation' | 'correctBecause'>,
): Variant => ({ name, operation, correctBecause, ...wrong });

/** A list that shows a change only at the read after next, like a lagging replica. */
const lagging = (original: Handler): Handler => {
  const held = new Map<string, Reply[]>();
  return (visit) => {
    const known = [...(held.get(visit.userId) ?? [{ status: 200, body: [] }]), original(visit)];
    held.set(visit.userId, known.slice(-2));
    return known.at(-2) as Reply;
  };
};

/** Valid variants: other readings of what the specification leaves open. A failure on one of them is a false alarm. */
export const variants: readonly Variant[] = [
  ...messageVariants,
  ...limitVariants,
  variant('unchanged', 'all', 'nothing is changed', {}),
  variant('every-response-in-an-envelope', 'all', shape, {
    respond: onSuccess((response) => ({
      status: response.status === 204 ? 200 : response.status,
      body: JSON.stringify({ code: 0, message: 'ok', data: parsedBody(response) ?? null }),
    })),
  }),
  variant('every-success-is-201-with-a-charset', 'all', shape, {
    respond: onSuccess(({ status, headers }) => ({
      status: 201,
      headers: status === 204 ? headers : { ...headers, 'content-type': 'application/json;charset=UTF-8' },
    })),
  }),
  variant('every-response-is-compressed', 'all', 'HTTP: the client accepts gzip', {
    respond: () => (response) =>
      response.body === ''
        ? response
        : {
            ...response,
            headers: { ...response.headers, 'content-encoding': 'gzip' },
            body: Readable.from([gzipSync(String(response.body))]),
          },
  }),
  variant('errors-are-problem-json', 'all', errors, {
    respond: onRefusal((response) => ({
      headers: { ...response.headers, 'content-type': 'application/problem+json' },
      body: JSON.stringify({ type: 'about:blank', title: 'refused', status: response.status }),
    })),
  }),
  variant('errors-are-all-400-without-a-body', 'all', errors, {
    respond: onRefusal(() => ({ status: 400, body: '' })),
  }),
  variant('errors-are-422-and-403', 'all', errors, {
    respond: onRefusal(({ status }) => ({ status: status === 401 ? 403 : status === 400 ? 422 : status })),
  }),
  variant('unauthorized-requests-get-404', 'all', errors, {
    respond: onRefusal(({ status }) => ({ status: status === 401 || status === 403 ? 404 : status })),
  }),
  ...(['block', 'unblock', 'love', 'unlove', 'report', 'cloneType', 'saveAvatar', 'updateProfile'] as const).map((id) =>
    variant(`${id}-returns-204`, id, shape, { handle: replying(() => ({ status: 204 })) }),
  ),
  variant('block-returns-the-whole-list', 'block', shape, {
    handle: handle<'block'>((original) => (visit) => {
      original(visit);
      return { status: 200, body: visit.state.blocks.blockedBy(visit.userId, 0, 100) };
    }),
  }),
  variant('block-twice-is-409', 'block', 'part 3: states and transitions are not shown', {
    handle: handle<'block'>((original) => (visit) => {
      const known = visit.state.blocks.blockedBy(visit.userId, 0, 1_000);
      if (known.some(({ userId }) => userId === visit.args.friendId)) throw new Refusal(409, 'blocked', 'already');
      return original(visit);
    }),
  }),
  variant('unblock-without-a-block-is-404', 'unblock', 'part 3: states and transitions are not shown', {
    handle: handle<'unblock'>((original) => (visit) => {
      const known = visit.state.blocks.blockedBy(visit.userId, 0, 1_000);
      if (!known.some(({ userId }) => userId === visit.args.friendId)) throw new Refusal(404, 'not_blocked', 'not');
      return original(visit);
    }),
  }),
  variant('listBlocked-lags-one-read-behind', 'listBlocked', 'CONSISTENCY_TIMEOUT_MS: how long a list may lag', {
    handle: lagging,
  }),
  variant('listBlockers-lag-one-read-behind', 'listBlockers', 'CONSISTENCY_TIMEOUT_MS: how long a list may lag', {
    handle: lagging,
  }),
  variant('listBlocked-oldest-first', 'listBlocked', shape, { handle: listing((list) => list.toReversed()) }),
  variant('listBlocked-of-bare-ids', 'listBlocked', shape, { handle: listing((list) => list.map((e) => e.userId)) }),
  variant('listBlocked-as-a-map-by-id', 'listBlocked', shape, {
    handle: listing((list) => Object.fromEntries(list.map((e) => [e.userId, { since: e.blockedAt }]))),
  }),
  variant('listBlocked-as-a-page-with-a-separate-latest', 'listBlocked', shape, {
    handle: listing((list) => ({ total: list.length, latest: list[0] ?? null, page: { items: list, next: null } })),
  }),
  variant('listBlockers-of-whole-profiles', 'listBlockers', shape, {
    handle: listing((list) => list.map((e) => ({ user: { id: e.userId, profile: { name: 'Ada', tags: [] } } }))),
  }),
  variant('love-twice-is-409', 'love', 'part 3: states and transitions are not shown', {
    handle: handle<'love'>((original) => (visit) => {
      const before = visit.state.stories.loveCount(visit.args.storyId);
      const response = original(visit);
      if (visit.state.stories.loveCount(visit.args.storyId) === before) throw new Refusal(409, 'loved', 'already');
      return response;
    }),
  }),
  variant('reportOptions-as-a-map', 'reportOptions', shape, {
    handle: bodied((body) => Object.fromEntries((body as Option[]).map(({ code, label }) => [code, label]))),
  }),
  variant('reportOptions-as-bare-codes', 'reportOptions', shape, {
    handle: bodied((body) => ({ options: (body as Option[]).map(({ code }) => code) })),
  }),
  variant('report-is-202', 'report', shape, { handle: replying((reply) => ({ ...reply, status: 202 })) }),
  variant('evaluate-returns-the-bare-value', 'evaluate', shape, {
    handle: bodied((body) => (body as { value: string }).value),
  }),
  variant('evaluate-returns-a-map-by-key', 'evaluate', shape, {
    handle: bodied((body) => {
      const { key, value } = body as { key: string; value: string };
      return { flags: { [key]: { variation: value, reason: 'DEFAULT' } } };
    }),
  }),
  variant('deleteItem-returns-the-deleted-id', 'deleteItem', shape, {
    handle: handle<'deleteItem'>((original) => (visit) => {
      original(visit);
      return { status: 200, body: { deleted: visit.args.id } };
    }),
  }),
  variant('deleteItem-again-is-204', 'deleteItem', 'part 7: errors are not shown', {
    respond: onRefusal(({ status, headers }) =>
      status === 404 ? { status: 204, body: '', headers: { ...headers, 'content-type': undefined } } : {},
    ),
  }),
  variant('readProfile-in-a-nested-record', 'readProfile', shape, {
    handle: bodied((body) => ({ result: { person: { card: body } } })),
  }),
  ...(['block', 'saveAvatar', 'updateProfile', 'evaluate'] as const).map((id) =>
    variant(`${id}-ignores-unknown-fields`, id, 'part 2: which fields are required is not shown', {
      validate: (original) => (operation, body) => {
        const isRecord = typeof body === 'object' && body !== null && !Array.isArray(body);
        if (!isRecord) return original(operation, body);
        const { extra: _, ...known } = body as Record<string, unknown>;
        return original(operation, known);
      },
    }),
  ),
];
