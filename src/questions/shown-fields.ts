import { type Exchange, mentions, recordsIn } from '../http/index.ts';
import { bodyOf } from './asker/reaction.ts';

/** The names that a response may give a field of the profile (document, part 2; `avartarUrl` is spelled so there). */
const fieldNames = {
  status: /status/i,
  url: /ur[il]$|image|picture|photo|href|^ava[rt]*ar$/i,
  gender: /gender|^sex$/i,
} as const;

export type ShownField = keyof typeof fieldNames;

const fields = Object.keys(fieldNames) as ShownField[];

export type WrittenProfile = { readonly name?: string } & Partial<Record<ShownField, string | number>>;

/** The value under a name like `field`'s, in the record that holds `name`; none where the response doesn't show the field. */
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

/** The values of a field in a profile that was read, and whether it is there as it was written; `undefined` where it isn't shown at all. */
export function shownField(root: unknown, field: ShownField, written: WrittenProfile) {
  const { name = '', [field]: wanted = '' } = written;
  const all = valuesOf(root, name, field);
  // A code may be shown as a word, which says nothing of its number.
  const values = typeof wanted === 'number' ? all.filter((value) => /^(\d+|null)$/.test(value)) : all;
  // A service may show it under another name, but not under that of another field.
  const isAnothers = () => fields.some((other) => valuesOf(root, name, other).includes(String(wanted)));
  const isElsewhere = () => typeof wanted === 'string' && mentions(root, wanted) && !isAnothers();
  const isWritten = values.includes(String(wanted)) || isElsewhere() || (values.length > 0 ? false : undefined);
  return { values, isWritten };
}

/**
 * Whether an update of the name alone, that of `after`, left what `first` shows of `before`, by the profile that is read then; `undefined` where
 * `first` shows nothing but a name.
 */
export function partialUpdateAnswer(first: Exchange, second: Exchange, before: WrittenProfile, after: WrittenProfile) {
  const shown = fields.filter((field) => {
    const { values, isWritten } = shownField(bodyOf(first), field, before);
    // A word that each profile has may stand elsewhere for another reason.
    return isWritten && (values.length > 0 || before[field] !== after[field]);
  });
  const now = { ...before, name: after.name ?? '' };
  const isLeft = shown.every((field) => shownField(bodyOf(second), field, now).isWritten);
  return shown.length === 0 ? undefined : isLeft ? 'the others are left' : 'the others are changed';
}
