import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { isRecord } from '../http/index.ts';

/**
 * The problems of a value by schemas in files, a line each. `definition` refers to the schema that the value is checked
 * against, as in `core.json#/$defs/Service`; a definition that no file has is a problem, too.
 */
export function schemasIn(files: readonly string[]): (definition: string, value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  formats.default(ajv);
  for (const file of files) ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')));
  return (definition, value) => {
    const validate = ajv.getSchema(definition);
    if (!validate) return [`: no schema is ${definition}`];
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const { additionalProperty: unknown, allowedValues, allowedValue = allowedValues } = params;
      if (unknown !== undefined) return `${instancePath}: unknown field ${JSON.stringify(unknown)}`;
      return `${instancePath}: ${message}${allowedValue === undefined ? '' : ` ${JSON.stringify(allowedValue)}`}`;
    });
  };
}

/** A value with one mistake, and where it is. */
interface Mistake {
  readonly where: string;
  readonly value: unknown;
}

/**
 * The value with one mistake, for each that can be made in it: a field whose name is misspelled, and a value of another type.
 * `isFree` says whether the object at a place, as in `/spec/ports/0`, may have any field.
 */
export function mistakesIn(value: unknown, isFree: (place: string) => boolean, place = ''): Mistake[] {
  const ofAnotherType = {
    where: `another type at ${place}`,
    value: Array.isArray(value) || isRecord(value) ? 7 : [[]],
  };
  if (Array.isArray(value)) {
    const inside = value.flatMap((each, index) =>
      mistakesIn(each, isFree, `${place}/${index}`).map((mistake) => ({
        ...mistake,
        value: value.with(index, mistake.value),
      })),
    );
    return [ofAnotherType, ...inside];
  }
  if (!isRecord(value)) return [ofAnotherType];
  return [
    ofAnotherType,
    ...Object.entries(value).flatMap(([key, each]) => {
      const { [key]: _, ...others } = value;
      const misspelled = { where: `${place}/${key} misspelled`, value: { ...others, [`${key}x`]: each } };
      const inside = mistakesIn(each, isFree, `${place}/${key}`);
      return [
        ...(isFree(place) ? [] : [misspelled]),
        ...inside.map((mistake) => ({ ...mistake, value: { ...value, [key]: mistake.value } })),
      ];
    }),
  ];
}
