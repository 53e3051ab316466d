import { PROFILE_INCLUDES } from '../../schemas/index.ts';
import { ok } from '../handler-request.ts';
import { Refusal } from '../refusal.ts';
import { handle, ofKind } from './kind.ts';
import { bodied } from './tamper.ts';

const updates = 'part 4, rule 3: row 11 updates user information such as avatar, name and gender';
const reads = 'part 4, rule 4: row 12 returns the profile of another user or friend';
const addsOrUpdates = 'part 4, rule 1: an existing avatar is updated, otherwise one is added';

const withoutField = (field: string) =>
  handle<'updateProfile'>((original) => (visit) => {
    const { [field]: _, ...kept } = visit.args as Record<string, unknown>;
    return original({ ...visit, args: kept as typeof visit.args });
  });

const shown = (change: (profile: Record<string, unknown>) => unknown) =>
  bodied((body) => change(body as Record<string, unknown>));

export const profileFaults = ofKind('state', [
  {
    name: 'updateProfile-not-written',
    operation: 'updateProfile',
    grade: 'documented',
    breaks: updates,
    handle: handle<'updateProfile'>(
      () =>
        ({ userId, args }) =>
          ok({ userId, ...args }),
    ),
  },
  {
    name: 'updateProfile-written-for-another-user',
    operation: 'updateProfile',
    grade: 'documented',
    breaks: updates,
    handle: handle<'updateProfile'>((original) => (visit) => original({ ...visit, userId: 'user-ada' })),
  },
  {
    name: 'updateProfile-works-once',
    operation: 'updateProfile',
    grade: 'documented',
    breaks: updates,
    handle: handle<'updateProfile'>((original) => {
      const done = new Set<string>();
      return (visit) => {
        if (done.has(visit.userId)) return ok({ userId: visit.userId, ...visit.args });
        done.add(visit.userId);
        return original(visit);
      };
    }),
  },
  ...(['name', 'status', 'url', 'gender'] as const).map((field) => ({
    name: `updateProfile-drops-${field}`,
    operation: 'updateProfile' as const,
    grade: 'documented' as const,
    breaks: updates,
    handle: withoutField(field),
  })),
  ...(['status', 'url', 'gender'] as const).map((field) => ({
    name: `updateProfile-writes-${field}-once`,
    hiddenBy: ['profileForm'],
    operation: 'updateProfile' as const,
    grade: 'documented' as const,
    breaks: updates,
    seenIn: 'zeeguu/api#576',
    handle: handle<'updateProfile'>((original) => {
      const first = new Map<string, unknown>();
      return (visit) => {
        const kept = first.get(visit.userId) ?? visit.args[field];
        first.set(visit.userId, kept);
        return original({ ...visit, args: { ...visit.args, [field]: kept } });
      };
    }),
  })),
  {
    name: 'updateProfile-swaps-name-and-status',
    operation: 'updateProfile',
    grade: 'assumed',
    breaks: updates,
    handle: handle<'updateProfile'>(
      (original) => (visit) =>
        original({ ...visit, args: { ...visit.args, name: visit.args.status ?? '', status: visit.args.name ?? '' } }),
    ),
  },
  {
    name: 'updateProfile-clears-what-is-not-named',
    operation: 'updateProfile',
    grade: 'assumed',
    breaks: `${updates}; what \`includes\` does is not shown`,
    seenIn: 'boardsesh/boardsesh#4725',
    handle: handle<'updateProfile'>((original) => (visit) => {
      const cleared = { includes: PROFILE_INCLUDES.join(';'), name: '', status: '', url: '', gender: 0 };
      return original({ ...visit, args: { ...cleared, ...visit.args, includes: cleared.includes } });
    }),
    driftsAfter: 1,
  },
  {
    name: 'updateProfile-refuses-the-spelling-avartarUrl',
    operation: 'updateProfile',
    grade: 'documented',
    breaks: 'part 2, profile: the names in includes are name, status, avartarUrl, gender, spelled exactly so',
    handle: handle<'updateProfile'>((original) => (visit) => {
      if (visit.args.includes.includes('avartarUrl')) throw new Refusal(400, 'invalid_body', 'includes: unknown field');
      return original(visit);
    }),
  },
  {
    name: 'readProfile-always-shows-the-reader',
    operation: 'readProfile',
    grade: 'documented',
    breaks: reads,
    handle: handle<'readProfile'>((original) => (visit) => original({ ...visit, args: { userId: visit.userId } })),
  },
  {
    name: 'readProfile-shows-nobody-else',
    operation: 'readProfile',
    grade: 'documented',
    breaks: reads,
    handle: handle<'readProfile'>((original) => (visit) => {
      if (visit.args.userId !== visit.userId) throw new Refusal(403, 'not_yours', 'not your profile');
      return original(visit);
    }),
  },
  {
    name: 'readProfile-never-changes',
    operation: 'readProfile',
    grade: 'documented',
    breaks: updates,
    handle: handle<'readProfile'>((original) => {
      const first = new Map<string, ReturnType<typeof original>>();
      return (visit) => {
        const response = first.get(visit.args.userId) ?? original(visit);
        first.set(visit.args.userId, response);
        return response;
      };
    }),
  },
  {
    name: 'readProfile-name-is-null',
    operation: 'readProfile',
    grade: 'documented',
    breaks: updates,
    handle: shown((profile) => ({ ...profile, name: null })),
  },
  {
    name: 'readProfile-name-is-cut',
    operation: 'readProfile',
    grade: 'documented',
    breaks: updates,
    handle: shown((profile) => ({ ...profile, name: String(profile.name).slice(0, 10) })),
  },
  {
    name: 'readProfile-is-empty',
    operation: 'readProfile',
    grade: 'documented',
    breaks: reads,
    handle: shown(() => ({})),
  },
  {
    name: 'saveAvatar-refuses-the-first',
    operation: 'saveAvatar',
    grade: 'documented',
    breaks: addsOrUpdates,
    handle: handle<'saveAvatar'>((original) => (visit) => {
      const isFirst = visit.state.avatars.get(visit.clientId, visit.userId) === undefined;
      const response = original(visit);
      if (isFirst) throw new Refusal(404, 'no_avatar', 'there is none yet');
      return response;
    }),
  },
  {
    name: 'saveAvatar-refuses-the-second',
    operation: 'saveAvatar',
    grade: 'documented',
    breaks: addsOrUpdates,
    handle: handle<'saveAvatar'>((original) => (visit) => {
      if (visit.state.avatars.get(visit.clientId, visit.userId)) throw new Refusal(409, 'avatar_exists', 'one already');
      return original(visit);
    }),
  },
  {
    name: 'saveAvatar-keeps-the-first',
    operation: 'saveAvatar',
    grade: 'documented',
    breaks: addsOrUpdates,
    seenIn: 'decidim/decidim#4710',
    handle: handle<'saveAvatar'>((original) => (visit) => {
      const first = visit.state.avatars.get(visit.clientId, visit.userId);
      return first ? ok(first) : original(visit);
    }),
  },
  {
    name: 'saveAvatar-keeps-the-first-items',
    operation: 'saveAvatar',
    grade: 'documented',
    breaks: addsOrUpdates,
    seenIn: 'spring-projects/spring-data-rest#1326',
    handle: handle<'saveAvatar'>((original) => (visit) => {
      const { items = visit.args.items } = visit.state.avatars.get(visit.clientId, visit.userId) ?? {};
      return original({ ...visit, args: { ...visit.args, items } });
    }),
  },
  {
    name: 'saveAvatar-drops-items',
    operation: 'saveAvatar',
    grade: 'assumed',
    breaks: 'part 2, avatar: items worn by the avatar; no response that shows them is documented',
    seenIn: 'spring-projects/spring-data-rest#1323',
    handle: handle<'saveAvatar'>((original) => (visit) => original({ ...visit, args: { ...visit.args, items: [] } })),
    driftsAfter: 1,
  },
  {
    name: 'saveAvatar-adds-another',
    operation: 'readProfile',
    grade: 'documented',
    breaks: `${addsOrUpdates}; the profile goes on showing the first of several`,
    handle: handle<'readProfile'>((original) => {
      const first = new Map<string, unknown>();
      return (visit) => {
        const response = original(visit);
        const { avatar } = response.body as { readonly avatar?: unknown };
        const kept = first.get(visit.args.userId) ?? avatar ?? undefined;
        first.set(visit.args.userId, kept);
        return { ...response, body: { ...(response.body as object), avatar: kept ?? null } };
      };
    }),
  },
  {
    name: 'saveAvatar-one-for-all-users',
    operation: 'saveAvatar',
    grade: 'documented',
    breaks: `${addsOrUpdates}; it is stored by client id and owner id`,
    handle: handle<'saveAvatar'>((original) => {
      const owners = new Set<string>();
      return (visit) => {
        owners.add(visit.userId);
        if (owners.size > 1) throw new Refusal(409, 'avatar_exists', 'there is an avatar for this client');
        return original(visit);
      };
    }),
  },
]);
