import { KNOWN_REPORT_CODE } from '../../../schemas/index.ts';
import { fieldsIn } from '../../client/index.ts';
import { type Operation, operation, operationIds, operations } from '../../spec/index.ts';
import {
  type Act,
  altered,
  bodied,
  emptied,
  inJson,
  instead,
  userOf,
  type Way,
  type WireFault,
  waysOf,
  without,
} from './act.ts';
import { headerWays } from './header-ways.ts';
import { listWays } from './list-ways.ts';

const statuses = [400, 401, 403, 404, 405, 409, 410, 422, 429, 500, 502, 503] as const;

const all = () => true;
const of =
  (...ids: readonly string[]) =>
  ({ id }: Operation) =>
    ids.includes(id);
/** Operations whose response must hold something. */
const tells = of('listBlocked', 'listBlockers', 'reportOptions', 'evaluate', 'readProfile');
const isUndo = ({ id }: Operation) => operationIds.some((other) => operation(other).undo === id);
const broken = '{"error":"broken on purpose"}';
const unreadProfile = 'FRIEND_PROFILE_REQUEST, with which the profile is read, would show it';

/** The request with other fields in its body. */
const asking = (change: (fields: Readonly<Record<string, unknown>>) => object): Act =>
  instead(({ asked: { body } }) => ({ body: JSON.stringify({ ...fieldsIn(body), ...change(fieldsIn(body)) }) }));

/** An undo hits the newest other change of its user. */
const exchanged: Act = ({ asked, forward, wire, operation: { id } }) => {
  const [field = '', value] = Object.entries(fieldsIn(asked.body))[0] ?? [];
  const own = wire.changes.filter((each) => each.user === userOf(asked) && each.undo === id && !each.isUndo);
  const other = own.findLast((each) => each.id !== value);
  return other && forward({ ...asked, body: JSON.stringify({ [field]: other.id }) });
};

/** The table of ways; the rest follows from it and from the specification's operations. */
export const ways: readonly Way[] = [
  ...statuses.flatMap((status) =>
    waysOf('answer', all, {
      [status]: { name: () => `answers-${status}`, act: () => ({ status, type: 'application/json', body: broken }) },
    }),
  ),
  ...waysOf('state', ({ effect }) => effect !== 'read', {
    swallowed: {
      name: (each) => (isUndo(each) || each.method === 'DELETE' ? 'does-nothing' : 'not-written'),
      act: ({ wire, operation: each, asked }) => wire.replayed(each, asked),
      survives: ({ request, shownBy }, canRead) => {
        if (request === 'profile') return canRead ? undefined : unreadProfile;
        return shownBy ? undefined : 'no request that the specification shows reads what it changes';
      },
    },
  }),
  ...waysOf('wire', all, {
    reset: { name: () => 'resets-the-connection', act: () => 'reset' },
    deadline: { name: () => 'never-answers', act: () => 'silence' },
    'is-slow': async ({ asked, forward, wire }) => ({ ...(await forward(asked)), afterMs: wire.slowMs }),
  }),
  ...waysOf('answer', all, {
    'answers-half-a-body': altered((body) => (body.length < 4 ? '{"half' : body.slice(0, body.length / 2))),
    'answers-a-web-page': async ({ asked, forward, wire }) => {
      const reply = await forward(asked);
      return wire.isSuccess(reply)
        ? { ...bodied(reply), type: 'text/html', body: '<!doctype html><title>Welcome</title>' }
        : reply;
    },
  }),
  ...waysOf('answer', tells, {
    'answers-nothing': altered(() => ''),
    'answers-json-in-a-string': altered((body) => JSON.stringify(body)),
  }),
  ...headerWays,
  ...listWays,
  ...waysOf('state', (each) => isUndo(each) && isListed(each), {
    'takes-back-the-newest': { act: exchanged, needs: 'a third user who exists: PROVISION_URL' },
  }),
  ...waysOf('state', of('reportOptions'), {
    'without-the-known-code': altered((body) => inJson(body, (json) => without(json, KNOWN_REPORT_CODE))),
    'are-empty': altered((body) => inJson(body, emptied)),
    'are-those-of-the-first-language': {
      act: instead(({ asked, wire }) => {
        const first = wire.firsts.get('path') ?? asked.path;
        wire.firsts.set('path', first);
        return { path: String(first) };
      }),
      needs: 'a second language that is known: REPORT_LANGUAGES',
    },
  }),
  ...waysOf('state', of('evaluate'), {
    'ignores-the-default': asking(() => ({ default: 'off' })),
    'gives-the-key-for-the-default': asking(({ key }) => ({ default: key })),
    'keeps-the-first-default': instead(({ asked, wire }) => {
      const fields = fieldsIn(asked.body);
      const first = wire.firsts.get(userOf(asked)) ?? fields.default;
      wire.firsts.set(userOf(asked), first);
      return { body: JSON.stringify({ ...fields, default: first }) };
    }),
    'drops-the-value': altered((body, { asked }) =>
      inJson(body, (json) => without(json, String(fieldsIn(asked.body).default))),
    ),
  }),
  ...(['name', 'status', 'url', 'gender'] as const).flatMap((field) =>
    waysOf('state', of('updateProfile'), {
      [`drops-${field}`]: {
        act: instead(({ asked: { body } }) => {
          const { [field]: _, ...kept } = fieldsIn(body);
          return { body: JSON.stringify(kept) };
        }),
        survives: (_, canRead) => {
          if (!canRead) return unreadProfile;
          return field === 'gender' ? 'a gender may be returned as a word, and a digit proves nothing' : undefined;
        },
      },
    }),
  ),
  ...waysOf('state', of('readProfile'), {
    'always-shows-the-reader': ({ asked, forward, operation: { path } }) => {
      const user = encodeURIComponent(userOf(asked));
      const begin = path.split('{')[0] ?? '';
      const at = asked.path.indexOf(begin) + begin.length;
      return forward({ ...asked, path: asked.path.slice(0, at) + asked.path.slice(at).replace(/^[^/?]+/, user) });
    },
  }),
];

function isListed({ id }: Operation): boolean {
  return Object.values(operations).some((each) => 'undo' in each && each.undo === id && 'shownBy' in each);
}

/**
 * Every fault of the wire. Rows 11 and 12 are one request, and so one operation. `readProfile`: operation 12, where the team knows
 * how it is read.
 */
export function wireFaults(readProfile?: Operation): WireFault[] {
  const served = operationIds.filter((id) => id !== 'getFriendProfile').map(operation);
  return [...served, ...(readProfile ? [readProfile] : [])].flatMap((each) =>
    ways
      .filter((way) => way.on(each))
      .map((way) => ({ name: `${each.id}-${way.name?.(each) ?? way.id}`, operation: each, way })),
  );
}
