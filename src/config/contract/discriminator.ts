import { basename, extname } from 'node:path';
import { type Documents, type Place, referenceOf } from './documents.ts';
import type { JsonSchema } from './json-schema.ts';

/** Schemas in place of the alternatives that a discriminator chooses from. */
interface Chosen {
  readonly instead: 'oneOf' | 'anyOf';
  readonly schemas: readonly JsonSchema[];
}

/**
 * The alternatives of a schema with a `discriminator`: the value of its property chooses one, so that two that accept the same body
 * don't exclude each other. Only references have names to be chosen by; others stay as they are.
 */
export function chosenBy(
  place: Place,
  documents: Documents,
  convert: (branch: Place) => JsonSchema,
): Chosen | undefined {
  const discriminator = documents.member(place, 'discriminator');
  const { value: property } = documents.member(discriminator, 'propertyName');
  if (typeof property !== 'string') return undefined;
  for (const instead of ['oneOf', 'anyOf'] as const) {
    const branches = documents.members(documents.member(place, instead)).map(([, branch]) => branch);
    if (branches.length === 0 || branches.some(({ value }) => referenceOf(value) === undefined)) continue;
    const mapping = documents.members(documents.member(discriminator, 'mapping'));
    const chosen = branches.map((branch) => ({ branch, names: namesOf(branch, mapping, documents) }));
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

/** The values that choose a branch: those that the mapping gives it, and its own name. */
function namesOf(branch: Place, mapping: readonly [string, Place][], documents: Documents): string[] {
  const reference = referenceOf(branch.value) as string;
  const target = documents.name(documents.resolve(reference, branch));
  const mapped = mapping.filter(([, { value }]) => {
    if (typeof value !== 'string') return false;
    return (
      value === ownName(reference) ||
      (/[#./]/.test(value) && documents.name(documents.resolve(value, branch)) === target)
    );
  });
  return [...new Set([...mapped.map(([name]) => name), ownName(reference)])];
}

/** `Dog` of `#/components/schemas/Dog`, and of `schemas/Dog.yaml`. */
function ownName(reference: string): string {
  const name = basename(reference);
  return reference.includes('#') ? name : name.slice(0, name.length - extname(name).length);
}
