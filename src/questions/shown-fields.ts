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

/** The values of a field, from the JSON objects of a response that contain the profile's name. Empty if none of them shows the field. */
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

/**
 * The values that a profile shows for a field. `isWritten`: whether the written value is among them; `undefined` if the profile doesn't
 * show the field.
 */
export function shownField(root: unknown, field: ShownField, written: WrittenProfile) {
  const { name = '', [field]: wanted = '' } = written;
  const all = valuesOf(root, name, field);
  // A service may show a code as a word. The word doesn't say which number was stored.
  const values = typeof wanted === 'number' ? all.filter((value) => /^(\d+|null)$/.test(value)) : all;
  // A service may show the value under an unknown name. A value under the name of another field belongs to that field.
  const isAnothers = () => fields.some((other) => valuesOf(root, name, other).includes(String(wanted)));
  const isElsewhere = () => typeof wanted === 'string' && mentions(root, wanted) && !isAnothers();
  const isWritten = values.includes(String(wanted)) || isElsewhere() || (values.length > 0 ? false : undefined);
  return { values, isWritten };
}

/**
 * Compares the profile before (`first`) and after (`second`) an update that writes only the name of `after`: do the other fields still have
 * the values of `before`? `undefined` if `first` shows none of these fields.
 */
export function partialUpdateAnswer(first: Exchange, second: Exchange, before: WrittenProfile, after: WrittenProfile) {
  const shown = fields.filter((field) => {
    const { values, isWritten } = shownField(bodyOf(first), field, before);
    // If the value is only found under an unknown name, `before` and `after` must have different values in this field: otherwise the
    // response may contain the value for another reason.
    return isWritten && (values.length > 0 || before[field] !== after[field]);
  });
  const now = { ...before, name: after.name ?? '' };
  const isLeft = shown.every((field) => shownField(bodyOf(second), field, now).isWritten);
  return shown.length === 0 ? undefined : isLeft ? 'the others are left' : 'the others are changed';
}
