import { type Incoming, isRecord } from '../serve.ts';
import type { Manners } from './manners.ts';

/** The request ends here. */
export class Stopped extends Error {
  readonly status: number;
  readonly what: string;
  constructor(status: number, what: string) {
    super(what);
    this.status = status;
    this.what = what;
  }
}

export type Body = Record<string, unknown>;
type Rule = 'text' | 'text?' | 'id' | 'whole?' | 'list' | 'list?' | 'flag?' | 'map?';

const bodies: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  block: { friendId: 'id' },
  love: { storyId: 'id' },
  report: { storyId: 'id', reports: 'list', message: 'text?' },
  clone: {
    FromClientId: 'text',
    TypeName: 'text',
    TypeVersion: 'text',
    Files: 'list?',
    IsSetDefaultTypeVersion: 'flag?',
  },
  avatar: { includes: 'text?', name: 'text', meta: 'text?', items: 'list?' },
  profile: { includes: 'text?', name: 'text?', status: 'text?', url: 'text?', gender: 'whole?' },
  feature: { key: 'text', default: 'text?', contextData: 'map?' },
};

const APP = ['app-bundle', 'app-ver', 'app-platform', 'app-lang', 'app-env'];

/** An id, in the form that ids have. @throws Stopped */
export function idOf(value: string, { countsIds, statuses }: Manners, what: string): string {
  if (countsIds && !/^\d+$/.test(value)) throw new Stopped(statuses.invalid, what);
  return value;
}

/** The documented fields of a body. @throws Stopped */
export function validBody(schema: string, body: Body, manners: Manners): Body {
  const { statuses, text, noBlanks } = manners;
  const entries = Object.entries(bodies[schema] ?? {}).flatMap(([name, rule]) => {
    const given = body[name];
    if (given === undefined && rule.endsWith('?')) return [];
    const isText = rule.startsWith('text') || rule === 'id';
    const value = isText ? text(given) : given;
    const mayBeEmpty = rule === 'text?' && !(noBlanks && schema === 'profile');
    const isRight = isText
      ? value !== undefined && (value !== '' || mayBeEmpty)
      : rule.startsWith('list')
        ? Array.isArray(value)
        : rule === 'whole?'
          ? Number.isInteger(value)
          : rule === 'flag?'
            ? typeof value === 'boolean'
            : isRecord(value);
    if (!isRight) throw new Stopped(statuses.invalid, name);
    return [[name, rule === 'id' ? idOf(String(value), manners, name) : value]];
  });
  return Object.fromEntries(entries);
}

/** Checks the headers of a request. @throws Stopped */
export function enter({ headers, path }: Incoming, manners: Manners, tokens: ReadonlyMap<string, string>): void {
  const { apiKey, client, statuses, filledHeaders = [] } = manners;
  const isFeature = path.endsWith('/feature');
  if (path.endsWith('/clone') || isFeature) {
    if (headers['mm-api-key'] !== apiKey) throw new Stopped(401, 'mm-api-key');
    const needed = ['mm-client-id', ...(isFeature ? ['mm-user-id', ...APP] : [])];
    for (const name of needed)
      if (headers[name] === undefined || (headers[name] === '' && filledHeaders.includes(name)))
        throw new Stopped(statuses.invalid, name);
    // A number in the handler's signature; the others are texts, which may be empty.
    if (isFeature && !/^\d+$/.test(headers['app-ver'] ?? '')) throw new Stopped(statuses.invalid, 'app-ver');
    return;
  }
  const user = tokens.get(/^bearer (\S+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? '');
  if (!user) throw new Stopped(401, 'authorization');
  if (headers['mm-user-id'] !== user || headers['mm-client-id'] !== client) throw new Stopped(403, 'forbidden');
}
