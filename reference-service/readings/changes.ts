import { blockOnce, loveOnce, refusing } from '../faults/tamper.ts';
import { Refusal } from '../refusal.ts';
import { seeded } from '../state/index.ts';
import { reading } from './service-reading.ts';

/** Only users that exist can be blocked. */
export const unknownUsersRefused = reading({
  block: {
    handle: refusing(({ state, args }) => !state.users.exists(args.friendId), 404, 'unknown_user', 'no such user'),
  },
});

/** A repeated change is rejected. */
export const changeAgainRefused = reading({ block: { handle: blockOnce }, love: { handle: loveOnce } });

/** A story is reported once by each user. */
export const reportAgainRefused = reading({
  report: {
    handle: (honest) => {
      const reported = new Set<string>();
      return (visit) => {
        const key = JSON.stringify([visit.userId, visit.args.storyId]);
        if (reported.has(key)) throw new Refusal(409, 'reported', 'already');
        const reply = honest(visit);
        reported.add(key);
        return reply;
      };
    },
  },
});

const MOST_CODES = 2;

/** A report holds a few codes, not all there are. */
export const fewReportCodes = reading({
  report: {
    handle: refusing(
      ({ args }) => args.reports.length > MOST_CODES,
      422,
      'too_many',
      `${MOST_CODES} codes at the most`,
    ),
  },
});

/** A clone names the version that it is made of, as it stands. */
export const sourceVersion = reading({
  cloneType: {
    handle: (honest) => {
      let copies = 0;
      return (visit) => {
        const { args } = visit;
        if (args.TypeVersion !== seeded.source.typeVersion)
          throw new Refusal(404, 'unknown_version', 'no such version');
        return honest({ ...visit, args: { ...args, TypeVersion: `${args.TypeVersion}-${++copies}` } });
      };
    },
  },
});
