import { type Exchange, mentions, recordsIn } from '../http/index.ts';
import { bodyOf } from './asker/reaction.ts';

/** The names under which a response may show a field of the profile (specification, part 2, which spells `avartarUrl` like this). */
const fieldNames = {
  status: /status/i,
  url: /ur[il]$|image|picture|photo|href|^ava[rt]*ar$/i,
  gender: /gender|^sex$/i,
} as const;

export type ShownField = keyof typeof fieldNames;

const fields = Object.keys(fieldNames) as ShownField[];

export type WrittenProfile = { readonly name?: string } & Partial<Record<ShownField, string | number>>;

/** The values that records with the name `name` have under names that fit `field`; empty if the response doesn't show the field. */
function valuesOf(root: unknown, name: string, field: ShownField): string[] {
  const holders = [...recordsIn(root)].filter((record) => Object.values(record).includes(name));
  return holders.flatMap((record) =>
    Object.entries(record)
      .filter(
        ([key, child]) =>
          fieldNames[field].test(key) && (typeof child !== 'object' || (child === null && key !== 'avatar')),
      )
      .map(([, child]) => String(child)),
  );
}

/** The values of a field in a profile that was read. `isWritten`: they include the written value; `undefined` if the field isn't shown. */
export function shownField(root: unknown, field: ShownField, written: WrittenProfile) {
  const { name = '', [field]: wanted = '' } = written;
  const all = valuesOf(root, name, field);
  // A service may show a code as a word. The word doesn't say which number was stored.
  const values = typeof wanted === 'number' ? all.filter((value) => /^(\d+|null)$/.test(value)) : all;
  // A service may show the value under another name, but not under the name of another field.
  const isAnothers = () => fields.some((other) => valuesOf(root, name, other).includes(String(wanted)));
  const isElsewhere = () => typeof wanted === 'string' && mentions(root, wanted) && !isAnothers();
  const isWritten = values.includes(String(wanted)) || isElsewhere() || (values.length > 0 ? false : undefined);
  return { values, isWritten };
}

/**
 * Whether an update that writes only the name of `after` left the other fields of `before`. `first` shows the profile before the update,
 * and `second` after it. `undefined` if `first` shows none of these fields.
 */
export function partialUpdateAnswer(first: Exchange, second: Exchange, before: WrittenProfile, after: WrittenProfile) {
  const shown = fields.filter((field) => {
    const { values, isWritten } = shownField(bodyOf(first), field, before);
    // A value that both profiles have may occur elsewhere in the response for another reason.
    return isWritten && (values.length > 0 || before[field] !== after[field]);
  });
  const now = { ...before, name: after.name ?? '' };
  const isLeft = shown.every((field) => shownField(bodyOf(second), field, now).isWritten);
  return shown.length === 0 ? undefined : isLeft ? 'the others are left' : 'the others are changed';
}
