import { PROFILE_INCLUDES } from '../../schemas/index.ts';
import type { CallArguments } from '../../src/service/index.ts';
import { type Handler, ok, type Visit } from '../handler-request.ts';
import { Refusal } from '../refusal.ts';
import { avatarOf } from '../state/index.ts';
import { ofKind } from './kind.ts';
import {
  bodied,
  crashWhen,
  everyThird,
  keeping,
  type MakeAnyHandler,
  type MakeHandler,
  once,
  onSome,
  refusing,
  stale,
} from './tamper.ts';

type Update = CallArguments<'updateProfile'>;

const updates = 'part 4, rule 3: row 11 updates user information such as avatar, name and gender';
const reads = 'part 4, rule 4: row 12 returns the profile of another user or friend';
const addsOrUpdates = 'part 4, rule 1: an existing avatar is updated, otherwise one is added';

const unwritten: Handler<Update> = ({ userId, args }) => ok({ userId, ...args });

const withoutField =
  (field: string): MakeHandler<Update> =>
  (original) =>
  (visit) => {
    const { [field]: _, ...kept } = visit.args as Record<string, unknown>;
    return original({ ...visit, args: kept as Update });
  };

const writtenOnce = (field: 'status' | 'url' | 'gender') =>
  ({
    hiddenBy: ['profile-form'],
    seenIn: 'zeeguu/api#576',
    handle: keeping<Update>(field, ({ userId }) => userId),
  }) as const;

const shown = bodied<Record<string, unknown>>;
const ownAvatar = ({ state, clientId, userId }: Visit) => avatarOf(state, clientId, userId);

/** Makes the profile show the user's first avatar forever, although newer avatars replaced it. */
const firstAvatar: MakeAnyHandler = (original) => {
  const first = new Map<unknown, unknown>();
  return (visit) => {
    const response = original(visit);
    const { userId, avatar } = response.body as { readonly userId?: unknown; readonly avatar?: unknown };
    const kept = first.get(userId) ?? avatar ?? undefined;
    first.set(userId, kept);
    return { ...response, body: { ...(response.body as object), avatar: kept ?? null } };
  };
};

export const profileFaults = [
  ...ofKind('state', updates, {
    'updateProfile-not-written': () => unwritten,
    'updateProfile-written-for-another-user': (original) => (visit) => original({ ...visit, userId: 'user-ada' }),
    'updateProfile-works-once': once(({ userId }) => userId, unwritten),
    'updateProfile-drops-name': withoutField('name'),
    'updateProfile-drops-status': withoutField('status'),
    'updateProfile-drops-url': withoutField('url'),
    'updateProfile-drops-gender': withoutField('gender'),
    'updateProfile-writes-status-once': writtenOnce('status'),
    'updateProfile-writes-url-once': writtenOnce('url'),
    'updateProfile-writes-gender-once': writtenOnce('gender'),
    'updateProfile-swaps-name-and-status': {
      grade: 'assumed',
      handle: (original) => (visit) => {
        const { name = '', status = '' } = visit.args;
        return original({ ...visit, args: { ...visit.args, name: status, status: name } });
      },
    },
    'updateProfile-swaps-status-and-url': {
      hiddenBy: ['profile-form'],
      handle: (original) => (visit) => {
        const { status = '', url = '' } = visit.args;
        return original({ ...visit, args: { ...visit.args, status: url, url: status } });
      },
    },
    'updateProfile-clears-what-is-not-named': {
      grade: 'assumed',
      breaks: `${updates}; what \`includes\` does is not shown`,
      seenIn: 'boardsesh/boardsesh#4725',
      handle: (original) => (visit) => {
        const cleared = { includes: PROFILE_INCLUDES.join(';'), name: '', status: '', url: '', gender: 0 };
        return original({ ...visit, args: { ...cleared, ...visit.args, includes: cleared.includes } });
      },
      breaksFact: 'updateProfile partial-update: the others are left',
    },
    'updateProfile-refuses-the-spelling-avartarUrl': {
      breaks: 'part 2, profile: the names in includes are name, status, avartarUrl, gender, spelled exactly so',
      handle: refusing(({ args }) => args.includes.includes('avartarUrl'), 400),
    },
    'readProfile-always-shows-the-reader': {
      breaks: reads,
      handle: (original) => (visit) => original({ ...visit, args: { userId: visit.userId } }),
    },
    'readProfile-shows-nobody-else': {
      breaks: reads,
      handle: refusing(({ userId, args }) => args.userId !== userId, 403),
    },
    'readProfile-never-changes': (original) => stale(original, ({ args }) => args.userId),
    'readProfile-name-is-null': shown((profile) => ({ ...profile, name: null })),
    'readProfile-name-is-cut': shown((profile) => ({ ...profile, name: String(profile.name).slice(0, 10) })),
    'readProfile-is-empty-now-and-then': { breaks: reads, respond: onSome(everyThird, { body: '{}' }) },
    'readProfile-is-empty': { breaks: reads, handle: shown(() => ({})) },
  }),
  ...ofKind('state', addsOrUpdates, {
    'saveAvatar-refuses-the-first': (original) => (visit) => {
      const isFirst = ownAvatar(visit) === undefined;
      const response = original(visit);
      if (isFirst) throw new Refusal(404);
      return response;
    },
    'saveAvatar-refuses-the-second': refusing((visit) => ownAvatar(visit) !== undefined, 409),
    'saveAvatar-keeps-the-first': {
      seenIn: 'decidim/decidim#4710',
      handle: (original) => (visit) => {
        const first = ownAvatar(visit);
        return first ? ok(first) : original(visit);
      },
    },
    'saveAvatar-keeps-the-first-items': {
      seenIn: 'spring-projects/spring-data-rest#1326',
      handle: (original) => (visit) => {
        const { items = visit.args.items } = ownAvatar(visit) ?? {};
        return original({ ...visit, args: { ...visit.args, items } });
      },
    },
    'saveAvatar-drops-items': {
      grade: 'assumed',
      breaks: 'part 2, avatar: items worn by the avatar; no response that shows them is documented',
      seenIn: 'spring-projects/spring-data-rest#1323',
      handle: (original) => (visit) => original({ ...visit, args: { ...visit.args, items: [] } }),
      breaksFact: 'saveAvatar avatar-items: shown',
    },
    'saveAvatar-echoes-alone': {
      grade: 'assumed',
      handle:
        () =>
        ({ args }) =>
          ok({ avatarId: 'avatar-0', ...args }),
      breaksFact: 'saveAvatar avatar-shown: shown',
    },
    'saveAvatar-adds-another': {
      operation: 'readProfile',
      breaks: `${addsOrUpdates}; the profile goes on showing the first of several`,
      handle: firstAvatar,
    },
    'saveAvatar-one-for-all-users': {
      breaks: `${addsOrUpdates}; it is stored by client id and owner id`,
      handle: (original) => {
        const owners = new Set<string>();
        return (visit) => {
          owners.add(visit.userId);
          if (owners.size > 1) throw new Refusal(409);
          return original(visit);
        };
      },
    },
  }),
];

const namesAre = 'part 4, rule 3, and part 2: row 11 updates the name, which is a string';
const valid = 'common sense: a text that is valid JSON is no server error';

const changing =
  (field: 'name' | 'status' | 'url', damage: (text: string) => string): MakeHandler<Update> =>
  (original) =>
  (visit) =>
    original({ ...visit, args: { ...visit.args, [field]: damage(visit.args[field] ?? '') } });

/** A fault that damages a name, as an old database, template or decoder may do, and returns the damaged name. */
const damaged = (seenIn: string, damage: (name: string) => string) => ({ seenIn, handle: changing('name', damage) });

export const damageFaults = ofKind('state', namesAre, {
  'updateProfile-cuts-at-an-emoji': damaged('mozilla/fxa-profile-server#186', (name) =>
    name.replace(/\p{Extended_Pictographic}.*/su, ''),
  ),
  'updateProfile-makes-question-marks-of-emoji': damaged('humhub/humhub#6853', (name) =>
    name.replace(/[\u{10000}-\u{10ffff}]/gu, '????'),
  ),
  'updateProfile-escapes-quotes': damaged('SimpleMachines/SMF#1755', (name) =>
    name.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
  ),
  'updateProfile-escapes-ampersands': damaged('wordpress-mobile/WordPress-iOS#7114', (name) =>
    name.replaceAll('&', '&amp;'),
  ),
  'updateProfile-drops-backslashes': damaged('Automattic/wp-calypso#11894', (name) => name.replaceAll('\\', '')),
  'updateProfile-cuts-at-an-apostrophe': damaged('MediaBrowser/Emby#408', (name) => name.replace(/'.*/s, '')),
  'updateProfile-encodes-twice': damaged('keybase/keybase-issues#897', (name) => Buffer.from(name).toString('latin1')),
  'updateProfile-drops-marks': damaged('aaronpk/webmention.io#203', (name) => name.replace(/\p{Mark}/gu, '')),
  'updateProfile-keeps-latin-letters-alone': damaged('bluewave-labs/Checkmate#1595', (name) =>
    name.replace(/[^\u0020-\u024f\p{Mark}]/gu, ''),
  ),
  'updateProfile-cuts-long-names': damaged('mozilla/fxa-profile-server#186', (name) => [...name].slice(0, 32).join('')),
  'updateProfile-drops-spaces-around': {
    grade: 'assumed',
    breaks: 'part 2: the name is a string; part 8 shows no limits',
    ...damaged('medic/cht-core#4103', (name) => name.trim()),
    breaksFact: 'updateProfile spaces-around: kept',
  },
  'updateProfile-makes-question-marks-of-the-status': {
    breaks: 'part 4, rule 3, and part 2: row 11 updates the status, which is a string',
    hiddenBy: ['profile-form'],
    handle: changing('status', (status) => status.replace(/[^\0-\u007f]/gu, '?')),
  },
  'updateProfile-lowers-the-url': {
    breaks:
      'part 4, rule 3, and part 2: row 11 updates the url, which is a string; the path of an address is case-sensitive',
    handle: changing('url', (url) => url.toLowerCase()),
  },
  'report-crashes-on-an-apostrophe': { breaks: valid, respond: crashWhen((body) => body.includes("'")) },
  'updateProfile-crashes-on-a-quote': {
    breaks: valid,
    seenIn: 'ONSdigital/eq-survey-runner#1060',
    respond: crashWhen((body) => /\\"Jo|\\\\"/.test(body)),
  },
});
