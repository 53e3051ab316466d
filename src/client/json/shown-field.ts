import { recordsIn } from './search.ts';

/** Names that a response may give a field of the profile (document, part 2; `avartarUrl` is spelled so there). */
const names = {
  status: /status/i,
  url: /ur[il]$|image|picture|photo|href|^ava[rt]*ar$/i,
  gender: /gender|^sex$/i,
} as const;

export type ShownField = keyof typeof names;

/**
 * The values that a response shows under a name like `field`'s, in the record that holds `name`; none where it doesn't show
 * that field at all, which the specification leaves open.
 */
export function shownValues(root: unknown, name: string, field: ShownField): string[] {
  const holders = [...recordsIn(root)].filter((record) => Object.values(record).includes(name));
  return holders.flatMap((record) =>
    Object.entries(record)
      .filter(
        ([key, child]) => names[field].test(key) && (typeof child !== 'object' || (child === null && key !== 'avatar')),
      )
      .map(([, child]) => String(child)),
  );
}
