import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../../../reference-service/index.ts';
import { Refusal } from '../../../reference-service/refusal.ts';
import { play, resultText } from '../../testing/play.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { embeddedEnvironment, type FactLine, factsOf } from '../../testing/test-environment.ts';

const service = await ownService();

interface Entry {
  readonly userId: string;
  readonly blockedAt: string;
}

/** Maximum number of entries on a page of the service. Thirty older entries come before the entries of a scenario. */
const CAP = 20;
const older: readonly Entry[] = Array.from({ length: 30 }, (_, at) => {
  return { userId: `user-older-${at}`, blockedAt: '2026-01-01T00:00:00.000Z' };
});

type Page = (all: readonly Entry[], n1: number, n2: number) => readonly Entry[];

const byOffset: Page = (all, offset, limit) => all.slice(offset, offset + Math.min(limit, CAP));
const byPage: Page = (all, page, size) => all.slice(page * Math.min(size, CAP), (page + 1) * Math.min(size, CAP));
const alwaysTheFirst: Page = (all) => all.slice(0, CAP);
const onlyTheFirst: Page = (all, n1) => {
  if (n1 > 0) throw new Refusal(400);
  return all.slice(0, CAP);
};

const capped = (page: Page): Pick<Fault, 'handle'> => ({
  handle: (honest) => (visit) => {
    const { n1, n2 } = visit.args as { readonly n1: string; readonly n2: string };
    const own = honest({ ...visit, args: { n1: '0', n2: '1000' } } as typeof visit);
    return { ...own, body: page([...older, ...(own.body as Entry[])], Number(n1), Number(n2)) };
  },
});

const titles = [
  'block, then list, then unblock',
  'block and unblock, twice',
  'block two, then unblock one',
  'block three, then unblock the one between',
  'two users have separate lists',
  'two users who blocked me',
  'who blocked me',
];

const rows: readonly (readonly [what: string, page: Page, ends: RegExp, fact?: FactLine])[] = [
  ['is read on by offset', byOffset, /^passed$/],
  ['is read on by page', byPage, /^passed$/],
  ['is read on as a fact says', byPage, /^passed$/, 'listBlocked paging: page/size, first index 0, oldest first'],
  [
    'has nothing new on further pages',
    alwaysTheFirst,
    /^failed · documented · list(Blocked|Blockers) · .* not found in 20 entries/,
  ],
  [
    'has no further page that can be read',
    onlyTheFirst,
    /^skipped · unproven: the expected entry may be on another page, and no other page can be read: 200/,
  ],
];

for (const [what, page, ends, fact] of rows)
  test(`a list that is cut to ${CAP} entries, and ${what}`, async () => {
    for (const title of titles) {
      service.faults.set(
        { name: 'blocked', operation: 'listBlocked', ...capped(page) },
        { name: 'blockers', operation: 'listBlockers', ...capped(page) },
      );
      // If a list doesn't show a change, the suite reads the list again for this long.
      const environment = embeddedEnvironment(service, { consistencyTimeoutMs: 200 });
      const { facts: _, ...known } = environment;
      const result = await play(title, fact ? { ...known, facts: factsOf(fact) } : known);
      assert.match(resultText(result), ends, title);
    }
  });
