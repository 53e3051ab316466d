import { setTimeout as wait } from 'node:timers/promises';
import type { CallArguments } from '../../src/service/index.ts';
import { ok, type Visit } from '../handler-request.ts';
import type { Reply } from '../json-server.ts';
import { blockedBy, keepAvatar, loveCount, seeded } from '../state/index.ts';
import { ofKind } from './kind.ts';
import { bodied, forEarlierUsersToo, keeping, type MakeHandler, stale } from './tamper.ts';

const listed = 'part 1 and rows 1, 2: the caller lists the users whom the caller blocked';
const kept = 'part 4, rule 1: an avatar is stored by client id and owner id';
const read = 'part 4, rules 3 and 4: row 12 returns the profile of another user, as row 11 updated it';
const ofLanguage = 'part 4, rule 2: row 7 returns the options for the language given in the path';

const AT_ONCE_MS = 1_000;
const STALE_MS = 100;

const stories = [seeded.story, seeded.otherStory];
const unloves = 'part 1 and row 6: the story of the request is unloved, and no other';

/**
 * Only the number of loves in a body shows whether a user loves a story. With some readings of these questions, the service sends no body,
 * so no response shows a fault in its loves.
 */
const shownByCounts = ['bodyForm', 'successStatus'] as const;

const unloving =
  (unlove: (visit: Visit<CallArguments<'unlove'>>) => void): MakeHandler<CallArguments<'unlove'>> =>
  () =>
  (visit) => {
    unlove(visit);
    const { storyId } = visit.args;
    return ok({ storyId, loved: false, loves: loveCount(visit.state, storyId) });
  };

type Entry = { readonly userId: string };

/** Faults that confuse two similar things (entries, users, languages, moments), or handle only one of two. */
export const neighbourFaults = ofKind('state', read, {
  'block-loses-one-of-two-at-once': {
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
  'unblock-takes-the-one-before-too': {
    breaks: 'part 1 and row 4: an unblocked user is no longer blocked, and no other',
    seenIn: 'projectblacklight/blacklight#261',
    handle: (original) => (visit) => {
      const { state, userId, args } = visit;
      const all = blockedBy(state, userId);
      const next = all[all.findIndex((entry) => entry.userId === args.friendId) + 1];
      const isThere = all.some((entry) => entry.userId === args.friendId);
      if (isThere && next) state.blocks.remove({ blocker: userId, blocked: next.userId });
      return original(visit);
    },
  },
  'listBlocked-drops-the-last-of-a-full-page': {
    grade: 'assumed',
    breaks: 'part 1 and row 2; rule 6 leaves open what a page is',
    seenIn: 'friendica/friendica#11040',
    handle: (original) => (visit) => {
      const reply = original(visit);
      const page = reply.body as readonly Entry[];
      return page.length === Number(visit.args.n2) ? { ...reply, body: page.slice(0, -1) } : reply;
    },
    breaksFact: 'listBlocked paging: offset/limit, first index 0, newest first',
  },
  'saveAvatar-overwrites-those-of-others': {
    breaks: kept,
    seenIn: 'voronind/django-awesome-avatar#17',
    handle: forEarlierUsersToo(({ state, clientId, userId, args }) => keepAvatar(state, clientId, userId, args)),
  },
  'saveAvatar-is-kept-by-owner-alone': {
    // With some readings of `headerWrong`, the service accepts an unknown client id, perhaps because the token names the client. It is no
    // fault then if the service ignores the client of an avatar.
    hiddenBy: ['headerWrong'],
    breaks: kept,
    seenIn: 'pluf/core#89',
    handle: (original) => (visit) => original({ ...visit, clientId: seeded.client.clientId }),
  },
  'readProfile-is-stale-for-other-readers': {
    seenIn: 'microsoft/live-share#4031',
    handle: (original) => {
      const toOthers = stale(original, ({ userId, args }) => `${userId} ${args.userId}`);
      return (visit) => (visit.userId === visit.args.userId ? original(visit) : toOthers(visit));
    },
  },
  'readProfile-shows-who-was-read-before': {
    seenIn: 'grapesmoker/qems2#268',
    handle: (original) => {
      let before: { readonly userId: string; readonly reply: Reply } | undefined;
      return (visit) => {
        const reply = original(visit);
        const shown = before && before.userId !== visit.args.userId ? before.reply : reply;
        before = { userId: visit.args.userId, reply };
        return shown;
      };
    },
  },
  'readProfile-is-stale-for-a-while': {
    grade: 'assumed',
    seenIn: 'Phorum/Core#463',
    handle: (original) => {
      const seen = new Map<string, { readonly at: number; readonly reply: Reply }>();
      return (visit) => {
        const last = seen.get(visit.args.userId);
        if (last && visit.now.getTime() - last.at < STALE_MS) return last.reply;
        const reply = original(visit);
        seen.set(visit.args.userId, { at: visit.now.getTime(), reply });
        return reply;
      };
    },
    survives:
      'Parts 3 and 8 leave open how long a read may lag: CONSISTENCY_TIMEOUT_MS is how long that is waited for.',
  },
  'unlove-takes-back-all-of-the-user': {
    hiddenBy: shownByCounts,
    breaks: unloves,
    seenIn: 'boostcampwm2023/iOS04-HeatPick#496',
    handle: unloving(({ state, userId }) => {
      for (const storyId of stories) state.loves.remove({ userId, storyId });
    }),
  },
  'unlove-takes-back-another-instead': {
    hiddenBy: shownByCounts,
    breaks: unloves,
    seenIn: 'EHRI/ehri-frontend#314',
    handle: unloving(({ state, userId, args }) => {
      const [other = ''] = stories.filter((storyId) => storyId !== args.storyId);
      const before = loveCount(state, other);
      state.loves.remove({ userId, storyId: other });
      if (loveCount(state, other) === before) state.loves.remove({ userId, storyId: args.storyId });
    }),
  },
  'unlove-takes-back-those-of-others': {
    hiddenBy: shownByCounts,
    breaks: 'common sense: a user unloves for themselves (part 5: mm-user-id is the acting user)',
    seenIn: 'overtrue/laravel-like#6',
    handle: forEarlierUsersToo(({ state, userId, args }) => state.loves.remove({ userId, storyId: args.storyId })),
  },
  'deleteItem-deletes-the-next-instead': {
    breaks: 'part 1 and row 14: a stored item is deleted by its id',
    seenIn: 'omroy07/AI-Money-Mentor#220',
    handle: (original) => (visit) => {
      const all = visit.state.items.all({ owner: visit.userId }).map(({ itemId }) => itemId);
      const next = all[(all.indexOf(visit.args.id) + 1) % all.length];
      return original(all.includes(visit.args.id) && next ? { ...visit, args: { id: next } } : visit);
    },
  },
  'reportOptions-are-those-of-the-first-language': {
    breaks: ofLanguage,
    seenIn: 'gpolak/FGTranslator#9',
    handle: keeping('language', () => 'anybody'),
  },
  'reportOptions-are-always-english': {
    breaks: ofLanguage,
    seenIn: 'bethylamine/soupcan#55',
    handle: (original) => (visit) => original({ ...visit, args: { language: 'en' } }),
  },
  'evaluate-combines-the-flag-with-the-default': {
    breaks: 'part 4, rule 5: the default is a fallback, not a condition',
    seenIn: 'growthbook/growthbook#1363',
    handle: (original) => (visit) =>
      bodied<object>((body) => ({ ...body, value: visit.args.default }))(original)(visit),
  },
});
