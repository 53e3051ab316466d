import type { CallArguments } from '../../src/spec/index.ts';
import { Refusal } from '../refusal.ts';
import { seeded } from '../state/index.ts';
import { otherwise, reading, unless } from './service-reading.ts';

type Reference = CallArguments<'block'>;
type Story = CallArguments<'love'>;

/** Only users that exist can be blocked. */
export const unknownUsersRefused = reading(
  otherwise('block', {
    handle: unless(({ state, args }) => {
      if (!state.users.exists((args as Reference).friendId)) throw new Refusal(404, 'unknown_user', 'no such user');
    }),
  }),
);

/** A repeated change is rejected. */
export const changeAgainRefused = reading(
  otherwise('block', {
    handle: unless(({ state, userId, args }) => {
      const known = state.blocks.blockedBy(userId, 0, 1_000);
      if (known.some((entry) => entry.userId === (args as Reference).friendId))
        throw new Refusal(409, 'blocked', 'already');
    }),
  }),
  otherwise('love', {
    handle: (honest) => (visit) => {
      const { storyId } = visit.args as Story;
      const before = visit.state.stories.loveCount(storyId);
      const reply = honest(visit);
      if (visit.state.stories.loveCount(storyId) === before) throw new Refusal(409, 'loved', 'already');
      return reply;
    },
  }),
);

/** A story is reported once by each user. */
export const reportAgainRefused = reading(
  otherwise('report', {
    handle: (honest) => {
      const reported = new Set<string>();
      return (visit) => {
        const key = JSON.stringify([visit.userId, (visit.args as CallArguments<'report'>).storyId]);
        if (reported.has(key)) throw new Refusal(409, 'reported', 'already');
        const reply = honest(visit);
        reported.add(key);
        return reply;
      };
    },
  }),
);

const MOST_CODES = 2;

/** A report holds a few codes, not all there are. */
export const fewReportCodes = reading(
  otherwise('report', {
    handle: unless(({ args }) => {
      if ((args as CallArguments<'report'>).reports.length > MOST_CODES)
        throw new Refusal(422, 'too_many', `${MOST_CODES} codes at the most`);
    }),
  }),
);

/** A clone names the version that it is made of, as it stands. */
export const sourceVersion = reading(
  otherwise('cloneType', {
    handle: (honest) => {
      let copies = 0;
      return (visit) => {
        const args = visit.args as CallArguments<'cloneType'>;
        if (args.TypeVersion !== seeded.source.typeVersion)
          throw new Refusal(404, 'unknown_version', 'no such version');
        return honest({ ...visit, args: { ...args, TypeVersion: `${args.TypeVersion}-${++copies}` } });
      };
    },
  }),
);
