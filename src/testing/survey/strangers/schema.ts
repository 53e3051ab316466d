import { isRecord } from '../../../http/index.ts';
import type { Body } from './serve.ts';

const kinds = {
  text: (value: unknown) => typeof value === 'string',
  list: (value: unknown) => Array.isArray(value),
  whole: (value: unknown) => Number.isInteger(value),
  flag: (value: unknown) => typeof value === 'boolean',
  map: isRecord,
};
export type Kinds = Readonly<Record<keyof typeof kinds, (value: unknown) => boolean>>;
type Schema = Readonly<Record<string, string>>;
/** For each operation, its fields with their kinds. `?` marks an optional field, a number its maximum length in characters: `text?140`. */
export type Schemas = Readonly<Record<string, Schema>>;

export const subjects: Schemas = {
  block: { friendId: 'text' },
  unblock: { friendId: 'text' },
  love: { storyId: 'text' },
  unlove: { storyId: 'text' },
};

/** The request fields of most test services. The subject of a change is required, and descriptions are optional. */
export const usualSchemas: Schemas = {
  ...subjects,
  report: { storyId: 'text', reports: 'list', message: 'text?' },
  cloneType: {
    FromClientId: 'text',
    TypeName: 'text',
    TypeVersion: 'text',
    Files: 'list?',
    IsSetDefaultTypeVersion: 'flag?',
  },
  saveAvatar: { includes: 'text?', name: 'text', meta: 'text?', items: 'list?' },
  updateProfile: { includes: 'text?', name: 'text?', status: 'text?', url: 'text?', gender: 'whole?' },
  evaluate: { key: 'text', default: 'text?', contextData: 'map?' },
};

export function breaches(body: Body, schema: Schema = {}, own: Partial<Kinds> | undefined = {}): string[] {
  const wrong = Object.entries(schema).filter(([name, rule]) => {
    const [, kind = '', optional, most] = /^([a-z]+)(\??)(\d*)$/.exec(rule) ?? [];
    const value = body[name];
    if (value === undefined) return !optional;
    return !{ ...kinds, ...own }[kind as keyof Kinds](value) || (most !== '' && String(value).length > Number(most));
  });
  return wrong.map(([name]) => name);
}
