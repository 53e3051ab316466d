import { setTimeout as wait } from 'node:timers/promises';
import type { CallArguments } from '../../src/spec/index.ts';
import { ok, type Visit } from '../handler-request.ts';
import { seeded } from '../state/index.ts';
import { forEarlierUsersToo, handle, ofKind } from './kind.ts';
import { bodied } from './tamper.ts';

const listed = 'part 1 and rows 1, 2: the caller lists the users whom the caller blocked';
const read = 'part 4, rules 3 and 4: row 12 returns the profile of another user, as row 11 updated it';

/** More users than any test blocks. */
const ALL = 1_000;
const AT_ONCE_MS = 1_000;
const STALE_MS = 100;

const stories = [seeded.story, seeded.otherStory];
const unloves = 'part 1 and row 6: the story of the request is unloved, and no other';

/** Only the number of loves shows in this service who loves a story. */
const shownByCounts = ['bodyForm', 'successStatus'] as const;

const unloving = (unlove: (visit: Visit<CallArguments<'unlove'>>) => void) =>
  handle<'unlove'>(() => (visit) => {
    unlove(visit);
    const { storyId } = visit.args;
    return ok({ storyId, loved: false, loves: visit.state.stories.loveCount(storyId) });
  });

type Entry = { readonly userId: string };

/** Faults that take one of two for the other, or see one of two alone: the next entry, another user, another language, another moment. */
export const neighbourFaults = ofKind('state', [
  {
    name: 'block-loses-one-of-two-at-once',
    operation: 'block',
    grade: 'documented',
    breaks: listed,
    seenIn: 'adorsys/status-list-server#234',
    arrive: () => {
      const open = new Map<unknown, number>();
      return async ({ headers }) => {
        const user = headers['mm-user-id'];
        const before = open.get(user) ?? 0;
        open.set(user, before + 1);
        await wait(AT_ONCE_MS);
        open.set(user, (open.get(user) ?? 1) - 1);
        return before > 0 ? ok({ blocked: true }) : undefined;
      };
    },
  },
  {
    name: 'unblock-takes-the-one-before-too',
    operation: 'unblock',
    grade: 'documented',
    breaks: 'part 1 and row 4: an unblocked user is no longer blocked, and no other',
    seenIn: 'projectblacklight/blacklight#261',
    handle: handle<'unblock'>((original) => (visit) => {
      const { state, userId, args } = visit;
      const all = state.blocks.blockedBy(userId, 0, ALL);
      const next = all[all.findIndex((entry) => entry.userId === args.friendId) + 1];
      const isThere = all.some((entry) => entry.userId === args.friendId);
      if (isThere && next) state.blocks.remove(userId, next.userId);
      return original(visit);
    }),
  },
  {
    name: 'listBlocked-drops-the-last-of-a-full-page',
    operation: 'listBlocked',
    grade: 'assumed',
    breaks: 'part 1 and row 2; rule 6 leaves open what a page is',
    seenIn: 'friendica/friendica#11040',
    handle: handle<'listBlocked'>((original) => (visit) => {
      const reply = original(visit);
      const page = reply.body as readonly Entry[];
      return page.length === Number(visit.args.n2) ? { ...reply, body: page.slice(0, -1) } : reply;
    }),
    driftsAfter: 1,
  },
  {
    name: 'saveAvatar-overwrites-those-of-others',
    operation: 'saveAvatar',
    grade: 'documented',
    breaks: 'part 4, rule 1: an avatar is stored by client id and owner id',
    seenIn: 'voronind/django-awesome-avatar#17',
    handle: forEarlierUsersToo<'saveAvatar'>(({ state, clientId, userId, args }) =>
      state.avatars.save(clientId, userId, args),
    ),
  },
  {
    name: 'saveAvatar-is-kept-by-owner-alone',
    // An unknown client id that is accepted may mean that the token says which client it is.
    hiddenBy: ['headerWrong'],
    operation: 'saveAvatar',
    grade: 'documented',
    breaks: 'part 4, rule 1: an avatar is stored by client id and owner id',
    seenIn: 'pluf/core#89',
    handle: handle<'saveAvatar'>((original) => (visit) => original({ ...visit, clientId: seeded.client.clientId })),
  },
  {
    name: 'readProfile-is-stale-for-other-readers',
    operation: 'readProfile',
    grade: 'documented',
    breaks: read,
    seenIn: 'microsoft/live-share#4031',
    handle: handle<'readProfile'>((original) => {
      const seen = new Map<string, ReturnType<typeof original>>();
      return (visit) => {
        if (visit.userId === visit.args.userId) return original(visit);
        const key = `${visit.userId} ${visit.args.userId}`;
        seen.set(key, seen.get(key) ?? original(visit));
        return seen.get(key) as ReturnType<typeof original>;
      };
    }),
  },
  {
    name: 'readProfile-shows-who-was-read-before',
    operation: 'readProfile',
    grade: 'documented',
    breaks: read,
    seenIn: 'grapesmoker/qems2#268',
    handle: handle<'readProfile'>((original) => {
      let before: { readonly userId: string; readonly reply: ReturnType<typeof original> } | undefined;
      return (visit) => {
        const reply = original(visit);
        const shown = before && before.userId !== visit.args.userId ? before.reply : reply;
        before = { userId: visit.args.userId, reply };
        return shown;
      };
    }),
  },
  {
    name: 'readProfile-is-stale-for-a-while',
    operation: 'readProfile',
    grade: 'assumed',
    breaks: read,
    seenIn: 'Phorum/Core#463',
    handle: handle<'readProfile'>((original) => {
      const seen = new Map<string, { readonly at: number; readonly reply: ReturnType<typeof original> }>();
      return (visit) => {
        const kept = seen.get(visit.args.userId);
        if (kept && visit.now.getTime() - kept.at < STALE_MS) return kept.reply;
        const reply = original(visit);
        seen.set(visit.args.userId, { at: visit.now.getTime(), reply });
        return reply;
      };
    }),
    survives:
      'Parts 3 and 8 leave open how long a read may lag: CONSISTENCY_TIMEOUT_MS is how long that is waited for.',
  },
  {
    name: 'unlove-takes-back-all-of-the-user',
    hiddenBy: shownByCounts,
    operation: 'unlove',
    grade: 'documented',
    breaks: unloves,
    seenIn: 'boostcampwm2023/iOS04-HeatPick#496',
    handle: unloving(({ state, userId }) => {
      for (const storyId of stories) state.stories.unlove(userId, storyId);
    }),
  },
  {
    name: 'unlove-takes-back-another-instead',
    hiddenBy: shownByCounts,
    operation: 'unlove',
    grade: 'documented',
    breaks: unloves,
    seenIn: 'EHRI/ehri-frontend#314',
    handle: unloving(({ state, userId, args }) => {
      const [other = ''] = stories.filter((storyId) => storyId !== args.storyId);
      const before = state.stories.loveCount(other);
      state.stories.unlove(userId, other);
      if (state.stories.loveCount(other) === before) state.stories.unlove(userId, args.storyId);
    }),
  },
  {
    name: 'unlove-takes-back-those-of-others',
    hiddenBy: shownByCounts,
    operation: 'unlove',
    grade: 'assumed',
    breaks: 'common sense: a user unloves for themselves (part 5: mm-user-id is the acting user)',
    seenIn: 'overtrue/laravel-like#6',
    handle: forEarlierUsersToo<'unlove'>(({ state, userId, args }) => state.stories.unlove(userId, args.storyId)),
  },
  {
    name: 'deleteItem-deletes-the-next-instead',
    operation: 'deleteItem',
    grade: 'documented',
    breaks: 'part 1 and row 14: a stored item is deleted by its id',
    seenIn: 'omroy07/AI-Money-Mentor#220',
    handle: handle<'deleteItem'>((original) => (visit) => {
      const all = visit.state.items.of(visit.userId);
      const next = all[(all.indexOf(visit.args.id) + 1) % all.length];
      return original(all.includes(visit.args.id) && next ? { ...visit, args: { id: next } } : visit);
    }),
  },
  {
    name: 'reportOptions-are-those-of-the-first-language',
    operation: 'reportOptions',
    grade: 'documented',
    breaks: 'part 4, rule 2: row 7 returns the options for the language given in the path',
    seenIn: 'gpolak/FGTranslator#9',
    handle: handle<'reportOptions'>((original) => {
      let first: string | undefined;
      return (visit) => {
        first ??= visit.args.language;
        return original({ ...visit, args: { language: first } });
      };
    }),
  },
  {
    name: 'reportOptions-are-always-english',
    operation: 'reportOptions',
    grade: 'documented',
    breaks: 'part 4, rule 2: row 7 returns the options for the language given in the path',
    seenIn: 'bethylamine/soupcan#55',
    handle: handle<'reportOptions'>((original) => (visit) => original({ ...visit, args: { language: 'en' } })),
  },
  {
    name: 'evaluate-combines-the-flag-with-the-default',
    operation: 'evaluate',
    grade: 'documented',
    breaks: 'part 4, rule 5: the default is a fallback, not a condition',
    seenIn: 'growthbook/growthbook#1363',
    handle: (original) => (visit) => {
      const { default: fallback } = visit.args as { readonly default: string };
      return bodied((body) => ({ ...(body as object), value: fallback }))(original)(visit);
    },
  },
]);
