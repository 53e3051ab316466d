import { randomUUID } from 'node:crypto';
import type { CallArguments } from '../../src/service/index.ts';
import { assumed } from '../assumptions/values.ts';
import { created, type Handler, ok, type Served, type Visit } from '../handler-request.ts';
import { Refusal } from '../refusal.ts';
import {
  avatarOf,
  blockedBy,
  blockersOf,
  keepAvatar,
  loveCount,
  type ProfileRecord,
  profileOf,
} from '../state/index.ts';

type Friend = CallArguments<'block'>;
type Segments = CallArguments<'listBlocked'>;

const block: Handler<Friend> = ({ state, userId, args, now }) => {
  if (args.friendId === userId) throw new Refusal(assumed.invalidBody, 'self_reference', 'nobody can block themselves');
  state.blocks.add({ blocker: userId, blocked: args.friendId, at: now.toISOString() });
  return ok({ friendId: args.friendId, blocked: true });
};

const unblock: Handler<Friend> = ({ state, userId, args }) => {
  state.blocks.remove({ blocker: userId, blocked: args.friendId });
  return ok({ friendId: args.friendId, blocked: false });
};

const listBlocked: Handler<Segments> = ({ state, userId, args }) => ok(blockedBy(state, userId, ...page(args)));

const listBlockers: Handler<Segments> = ({ state, userId, args }) => ok(blockersOf(state, userId, ...page(args)));

function page({ n1, n2 }: Visit<Segments>['args']): [offset: number, limit: number] {
  if (![n1, n2].every((segment) => /^\d{1,9}$/.test(segment))) {
    throw new Refusal(
      assumed.invalidBody,
      'invalid_page',
      'the two path segments are offset and limit, both whole numbers',
    );
  }
  return [Number(n1), Math.min(Number(n2), assumed.pageCap)];
}

type Story = CallArguments<'love'>;
type Language = (typeof assumed.languages)[number];
type Code = (typeof assumed.reportCodes)[number];

/** The report options in each language. The codes are the same; the labels are translated. */
const labelsByLanguage: Readonly<Record<Language, Readonly<Record<Code, string>>>> = {
  en: { SEXUALLY_INAPPROPRIATE: 'Sexually inappropriate', HATE_OR_HARASSMENT: 'Hate or harassment', SPAM: 'Spam' },
  de: { SEXUALLY_INAPPROPRIATE: 'Sexuell unangemessen', HATE_OR_HARASSMENT: 'Hass oder Belästigung', SPAM: 'Spam' },
  fr: {
    SEXUALLY_INAPPROPRIATE: 'Contenu sexuel inapproprié',
    HATE_OR_HARASSMENT: 'Haine ou harcèlement',
    SPAM: 'Indésirable',
  },
};

const love: Handler<Story> = (visit) => {
  const storyId = existing(visit);
  visit.state.loves.add({ userId: visit.userId, storyId });
  return ok({ storyId, loved: true, loves: loveCount(visit.state, storyId) });
};

const unlove: Handler<Story> = (visit) => {
  const storyId = existing(visit);
  visit.state.loves.remove({ userId: visit.userId, storyId });
  return ok({ storyId, loved: false, loves: loveCount(visit.state, storyId) });
};

const reportOptions: Handler<CallArguments<'reportOptions'>> = ({ args }) => {
  const language = assumed.languages.find((known) => known === args.language);
  if (!language)
    throw new Refusal(assumed.notFound, 'unknown_language', 'there are no report options in this language');
  return ok(assumed.reportCodes.map((code) => ({ code, label: labelsByLanguage[language][code] })));
};

const report: Handler<CallArguments<'report'>> = (visit) => {
  const storyId = existing(visit);
  const { reports, message } = visit.args;
  const unknown = reports.filter((code) => !assumed.reportCodes.some((known) => known === code));
  if (unknown.length > 0)
    throw new Refusal(assumed.invalidBody, 'unknown_report_code', 'a report code is not among the report options');
  const reportId = `report-${randomUUID()}`;
  visit.state.reports.add({ reportId, userId: visit.userId, storyId, reports: JSON.stringify(reports), message });
  return created({ reportId, storyId, reports });
};

function existing({ state, args }: Visit<{ readonly storyId: string }>): string {
  if (!state.stories.find({ storyId: args.storyId }))
    throw new Refusal(assumed.notFound, 'unknown_story', 'there is no such story');
  return args.storyId;
}

/**
 * The profile field that each name in `includes` selects. The specification writes `avartarUrl` in `includes`, and `url` for the field
 * itself.
 */
const fieldOf: Readonly<Record<string, keyof ProfileRecord>> = {
  name: 'name',
  status: 'status',
  avartarUrl: 'url',
  gender: 'gender',
};

const saveAvatar: Handler<CallArguments<'saveAvatar'>> = ({ state, clientId, userId, args }) => {
  const isNew = avatarOf(state, clientId, userId) === undefined;
  const saved = keepAvatar(state, clientId, userId, args);
  return isNew ? created(saved) : ok(saved);
};

const updateProfile: Handler<CallArguments<'updateProfile'>> = ({ state, userId, args }) => {
  const { includes, ...given } = args;
  const named = new Set(includes.split(';').map((name) => fieldOf[name]));
  const applied = Object.fromEntries(
    Object.entries(given).filter(([field]) => named.has(field as keyof ProfileRecord)),
  );
  const record = { ...profileOf(state, userId), ...applied };
  state.profiles.save({ userId, record: JSON.stringify(record) });
  return ok({ userId, ...record });
};

/** This service's own choice for operation 12 is GET /v1/profile/{userId}, because the specification doesn't show its request. */
export const readProfile: Handler<CallArguments<'readProfile'>> = ({ state, clientId, args }) => {
  if (!state.users.find({ userId: args.userId }))
    throw new Refusal(assumed.notFound, 'unknown_user', 'there is no such user');
  const avatar = avatarOf(state, clientId, args.userId) ?? null;
  return ok({ userId: args.userId, ...profileOf(state, args.userId), avatar });
};

const cloneType: Handler<CallArguments<'cloneType'>> = ({ state, clientId, args }) => {
  const { FromClientId, TypeName, TypeVersion, IsSetDefaultTypeVersion } = args;
  const own = { clientId, name: TypeName };
  if (!state.types.find({ clientId: FromClientId, name: TypeName }))
    throw new Refusal(assumed.notFound, 'unknown_type', 'that client has no such type');
  if (state.types.find({ ...own, version: TypeVersion }))
    throw new Refusal(assumed.versionExists, 'version_exists', 'this version exists already');
  if (IsSetDefaultTypeVersion) for (const type of state.types.all(own)) state.types.save({ ...type, isDefault: 0 });
  state.types.add({ ...own, version: TypeVersion, isDefault: IsSetDefaultTypeVersion ? 1 : 0 });
  const { version = null } = state.types.find({ ...own, isDefault: 1 }) ?? {};
  return created({ TypeName, TypeVersion, DefaultTypeVersion: version });
};

const evaluate: Handler<CallArguments<'evaluate'>> = ({ state, args }) => {
  const flag = state.flags.find({ key: args.key });
  const isActive = flag !== undefined && (flag.platform === null || flag.platform === args.contextData.platform);
  return ok({ key: args.key, active: isActive, value: isActive ? flag.value : args.default });
};

const deleteItem: Handler<CallArguments<'deleteItem'>> = ({ state, userId, args }) => {
  // Another user's item is "not found" as well, because any other response would disclose that it exists.
  if (state.items.find({ itemId: args.id })?.owner !== userId)
    throw new Refusal(assumed.notFound, 'unknown_item', 'there is no such item');
  state.items.remove({ itemId: args.id });
  return { status: 204 };
};

const blocking = '{friendId: string, blocked: boolean}';
const users = '{userId: string, blockedAt: date-time}[]';
const loving = '{storyId: string, loved: boolean, loves: integer}';
const ownProfile = '{userId: string, name: string, status: string, url: string, gender: integer}';

/** The handler of each operation. `statuses` and `body` describe its success; a survey must find the same. */
export const served: Served = {
  block: { handle: block, statuses: [200], body: blocking },
  listBlocked: { handle: listBlocked, statuses: [200], body: users },
  listBlockers: { handle: listBlockers, statuses: [200], body: users },
  unblock: { handle: unblock, statuses: [200], body: blocking },
  love: { handle: love, statuses: [200], body: loving },
  unlove: { handle: unlove, statuses: [200], body: loving },
  reportOptions: {
    handle: reportOptions,
    statuses: [200],
    body: '{code: "HATE_OR_HARASSMENT" | "SEXUALLY_INAPPROPRIATE" | "SPAM", label: string}[]',
  },
  report: { handle: report, statuses: [201], body: '{reportId: string, storyId: string, reports: string[]}' },
  cloneType: {
    handle: cloneType,
    statuses: [201],
    body: '{TypeName: string, TypeVersion: string, DefaultTypeVersion: string | null}',
  },
  saveAvatar: {
    handle: saveAvatar,
    statuses: [201, 200],
    body: '{avatarId: string, includes: string, name: string, meta: string, items: {itemId: string, type: integer, designId?: string}[]}',
  },
  updateProfile: { handle: updateProfile, statuses: [200], body: ownProfile },
  // For operation 12, the specification shows the request of operation 11, so both do the same.
  getFriendProfile: { handle: updateProfile, statuses: [200], body: ownProfile },
  evaluate: { handle: evaluate, statuses: [200], body: '{key: string, active: boolean, value: string}' },
  deleteItem: { handle: deleteItem, statuses: [204], body: 'no body' },
};
