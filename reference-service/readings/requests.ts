import { type HeaderName, headers } from '../../src/service/index.ts';
import {
  blockOnce,
  bodied,
  ignoringUnknownFields,
  loveOnce,
  onlyWhere,
  parsedJson,
  refusing,
} from '../faults/tamper.ts';
import { Refusal } from '../refusal.ts';
import { seeded } from '../state/index.ts';
import { asItIs, type Readings, reading, type ServiceReading } from './service-reading.ts';

const MOST_CODES = 2;

const notCredentials = (Object.keys(headers) as HeaderName[]).filter((name) => headers[name].kind !== 'credential');

const isKnown = (value: string) => /^(user|client)-/.test(value);

/** The service doesn't check a header if it is no credential, and `isSuch` returns true for its value and name. */
function acceptedWhere(isSuch: (value: string | undefined, name: HeaderName) => boolean) {
  return reading({ all: { uncheckedWhen: (read) => notCredentials.filter((name) => isSuch(read(name), name)) } });
}

type Body = Readonly<Record<string, unknown>>;

/**
 * Accepts only these statuses and genders in a profile. Also accepts the empty status and the gender 0 of a new profile, so that a new
 * profile can be restored. Changes only operation 11: operation 12 has the same request, so operation 11 handles it.
 */
function profilesOf(statuses: readonly string[], genders: readonly number[]): ServiceReading {
  return reading({
    updateProfile: {
      validate: onlyWhere(
        ({ status, gender }) =>
          (!status || statuses.includes(String(status))) && (!gender || genders.includes(gender as number)),
      ),
    },
  });
}

export const requestReadings = {
  'type-version': {
    copy: asItIs,
    // A clone request must name the version of its source unchanged.
    source: reading({
      cloneType: {
        handle: (honest) => {
          let copies = 0;
          return (visit) => {
            const { args } = visit;
            if (args.TypeVersion !== seeded.source.typeVersion) throw new Refusal(404);
            return honest({ ...visit, args: { ...args, TypeVersion: `${args.TypeVersion}-${++copies}` } });
          };
        },
      },
    }),
  },
  unknownUser: {
    accepted: asItIs,
    refused: reading({
      block: { handle: refusing(({ state, args }) => !state.users.find({ userId: args.friendId }), 404) },
    }),
  },
  reportAgain: {
    accepted: asItIs,
    refused: reading({
      report: {
        handle: (honest) => {
          const reported = new Set<string>();
          return (visit) => {
            const key = JSON.stringify([visit.userId, visit.args.storyId]);
            if (reported.has(key)) throw new Refusal(409);
            const reply = honest(visit);
            reported.add(key);
            return reply;
          };
        },
      },
    }),
  },
  reportCodes: {
    all: asItIs,
    some: reading({ report: { handle: refusing(({ args }) => args.reports.length > MOST_CODES, 422) } }),
  },
  flagDefault: {
    returned: asItIs,
    // Flags are only on or off. The response has a boolean, and doesn't repeat the text of the default.
    decides: reading({
      evaluate: {
        handle: bodied<{ readonly key?: unknown; readonly value?: unknown } | undefined>((body) => {
          const { key, value } = body ?? {};
          return typeof value === 'string' ? { key, on: /^(true|on|yes|1|enabled)$/i.test(value) } : body;
        }),
      },
    }),
  },
  'avatar-form': {
    marked: asItIs,
    // Accepts only names of letters and digits, numeric item ids, and a `meta` that is JSON.
    plain: reading({
      saveAvatar: {
        validate: onlyWhere(({ name, meta, items }) => {
          const areNumbers = (items as Body[]).every(({ itemId }) => /^\d+$/.test(String(itemId)));
          return /^[A-Za-z0-9]{0,32}$/.test(String(name)) && areNumbers && typeof parsedJson(String(meta)) === 'object';
        }),
      },
    }),
  },
  'profile-form': {
    text: asItIs,
    online: profilesOf(['online', 'away'], [1]),
    active: profilesOf(['active', 'idle'], [1]),
    'online-2': profilesOf(['online', 'away'], [2, 3]),
    'active-2': profilesOf(['active', 'idle'], [2, 3]),
  },
  headerMissing: { refused: asItIs, accepted: acceptedWhere((value) => value === undefined) },
  headerEmpty: { refused: asItIs, accepted: acceptedWhere((value) => value === '') },
  headerWrong: {
    refused: asItIs,
    accepted: acceptedWhere((value, name) => {
      if (!value) return false;
      return headers[name].kind === 'context' || !isKnown(value);
    }),
  },
  headerOfAnother: {
    refused: asItIs,
    // Accepts any known user id, even if the token belongs to another user.
    accepted: acceptedWhere((value, name) => name === 'mm-user-id' && value !== undefined && isKnown(value)),
  },
  changeAgain: { accepted: asItIs, refused: reading({ block: { handle: blockOnce }, love: { handle: loveOnce } }) },
  requestRate: { any: asItIs },
  unknownFields: { refused: asItIs, accepted: reading({ all: { validate: ignoringUnknownFields } }) },
} as const satisfies Readings;
