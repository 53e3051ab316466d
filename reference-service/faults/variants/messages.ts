import type { Variant } from '../kind.ts';
import { bodied, onRefusal } from '../tamper.ts';

type Entry = { readonly userId: string; readonly blockedAt: string };

const shape = 'part 4, rule 8: response bodies and success status codes are not shown';
const errors = 'part 7: error codes, status codes and the error body are not shown';

const listing = (change: (list: readonly Entry[]) => unknown) => bodied((body) => change(body as readonly Entry[]));

/** Valid variants that express the same content in other forms. */
export const messageVariants: readonly Variant[] = [
  {
    name: 'refusals-are-plain-text',
    operation: 'all',
    correctBecause: errors,
    respond: onRefusal(({ status, headers }) => ({
      headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
      body: `${status}: not like this`,
    })),
  },
  {
    name: 'refusals-are-web-pages',
    operation: 'all',
    correctBecause: errors,
    respond: onRefusal(({ headers }) => ({
      headers: { ...headers, 'content-type': 'text/html' },
      body: '<html><h1>Bad Request</h1></html>',
    })),
  },
  {
    name: 'listBlocked-of-addresses',
    operation: 'listBlocked',
    correctBecause: shape,
    handle: listing((list) =>
      list.map(({ userId }) => `https://users.example/v1/profile/client%7C${encodeURIComponent(userId)}`),
    ),
  },
  {
    name: 'listBlockers-as-a-map-by-kind-and-id',
    operation: 'listBlockers',
    correctBecause: shape,
    handle: listing((list) => Object.fromEntries(list.map(({ userId, blockedAt }) => [`user:${userId}`, blockedAt]))),
  },
  {
    name: 'reportOptions-of-addresses',
    operation: 'reportOptions',
    correctBecause: shape,
    handle: bodied((body) => (body as { code: string }[]).map(({ code }) => ({ href: `/v1/reports/codes/${code}` }))),
  },
  {
    name: 'updateProfile-creates-with-201',
    operation: 'updateProfile',
    correctBecause: shape,
    handle: (original) => {
      const known = new Set<string>();
      return (visit) => {
        const reply = original(visit);
        const isNew = !known.has(visit.userId);
        known.add(visit.userId);
        return isNew ? { ...reply, status: 201 } : reply;
      };
    },
  },
];
