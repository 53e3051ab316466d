import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/**
 * Reads schemas from files; returns a function that lists the problems of a value, a line each. `definition` names the schema for the
 * value, as in `core.json#/$defs/Service`. If no file has this schema, that is a problem, too.
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
