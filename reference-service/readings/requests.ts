import { type HeaderName, headers } from '../../src/spec/index.ts';
import { blockOnce, ignoringUnknownFields, loveOnce, onlyWhere, refusing } from '../faults/tamper.ts';
import { Refusal } from '../refusal.ts';
import { seeded } from '../state/index.ts';
import { reading, type ServiceReading } from './service-reading.ts';

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

const notCredentials = (Object.keys(headers) as HeaderName[]).filter((name) => headers[name].kind !== 'credential');

/** Whether a value names a user or a client of this service. */
const isKnown = (value: string) => /^(user|client)-/.test(value);

/** The headers that are not credentials aren't looked at where their value is such. */
function acceptedWhere(isSuch: (value: string | undefined, name: HeaderName) => boolean) {
  return reading({ all: { uncheckedWhen: (read) => notCredentials.filter((name) => isSuch(read(name), name)) } });
}

export const missingAccepted = acceptedWhere((value) => value === undefined);
export const emptyAccepted = acceptedWhere((value) => value === '');
export const wrongAccepted = acceptedWhere((value, name) => {
  if (!value) return false;
  return headers[name].kind === 'context' || !isKnown(value);
});
/** A known id next to a token that may belong to another user. */
export const anotherAccepted = acceptedWhere(
  (value, name) => name === 'mm-user-id' && value !== undefined && isKnown(value),
);

type Body = Readonly<Record<string, unknown>>;

function isJson(text: unknown): boolean {
  try {
    return typeof JSON.parse(String(text)) === 'object';
  } catch {
    return false;
  }
}

/** Names of letters and digits, numbers as ids, meta in JSON. */
export const plainAvatars = reading({
  saveAvatar: {
    validate: onlyWhere(({ name, meta, items }) => {
      const areNumbers = (items as Body[]).every(({ itemId }) => /^\d+$/.test(String(itemId)));
      return /^[A-Za-z0-9]{0,32}$/.test(String(name)) && areNumbers && isJson(meta);
    }),
  },
});

/** The values of an unwritten profile (empty, and 0) can be restored. Operations 11 and 12 share one request, which the first serves. */
export function profilesOf(statuses: readonly string[], genders: readonly number[]): ServiceReading {
  return reading({
    updateProfile: {
      validate: onlyWhere(
        ({ status, gender }) =>
          (!status || statuses.includes(String(status))) && (!gender || genders.includes(gender as number)),
      ),
    },
  });
}

/** Fields that the specification doesn't name are left out of what is looked at. */
export const unknownFieldsAccepted = reading({ all: { validate: ignoringUnknownFields } });
