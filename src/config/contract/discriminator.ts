import { basename, extname } from 'node:path';
import type { Place } from './place.ts';

/** Schemas in place of the alternatives that a discriminator chooses from. */
interface Chosen {
  readonly instead: 'oneOf' | 'anyOf';
  readonly schemas: readonly object[];
}

/**
 * The alternatives of a schema with a `discriminator`: the value of its property chooses one, so that two that accept the same body
 * don't exclude each other. Only references have names to be chosen by; others stay as they are.
 */
export function chosenBy(place: Place, convert: (branch: Place) => unknown): Chosen | undefined {
  const discriminator = place.at('discriminator');
  const { value: property } = discriminator.at('propertyName');
  if (typeof property !== 'string') return undefined;
  for (const instead of ['oneOf', 'anyOf'] as const) {
    const branches = place.at(instead).members();
    if (branches.length === 0 || branches.some(({ reference }) => reference === undefined)) continue;
    const mapping = discriminator.at('mapping').entries();
    const chosen = branches.map((branch) => ({ branch, names: namesOf(branch, mapping) }));
    const is = (names: readonly string[]) => ({ properties: { [property]: { enum: names } }, required: [property] });
    return {
      instead,
      schemas: [
        is([...new Set(chosen.flatMap(({ names }) => names))]),
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        ...chosen.map(({ branch, names }) => ({ if: is(names), then: convert(branch) })),
      ],
    };
  }
  return undefined;
}

/** The values that choose a branch: those of the mapping, and its own name. */
function namesOf(branch: Place, mapping: readonly [string, Place][]): string[] {
  const reference = branch.reference as string;
  const target = branch.resolve(reference).name;
  const mapped = mapping.filter(([, { value }]) => {
    if (typeof value !== 'string') return false;
    return value === ownName(reference) || (/[#./]/.test(value) && branch.resolve(value).name === target);
  });
  return [...new Set([...mapped.map(([name]) => name), ownName(reference)])];
}

/** `Dog` of `#/components/schemas/Dog`, and of `schemas/Dog.yaml`. */
function ownName(reference: string): string {
  const name = basename(reference);
  return reference.includes('#') ? name : name.slice(0, name.length - extname(name).length);
}
