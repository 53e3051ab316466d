import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { requestSchemas } from '../../schemas/requests.ts';

/** How Ajv's generated code loads the only part of Ajv that it needs at run time. A module has no `require`. */
const LENGTH = 'require("ajv/dist/runtime/ucs2length").default';

/** How Ajv exports a validator. */
const EXPORT = /export const (\w+) = (validate\d+);/g;

const head = `// Ajv's validators of the schemas in requests.ts. \`npm run pages\` generates this file.
// @ts-nocheck
import length from 'ajv/dist/runtime/ucs2length.js';
`;

/** The file with the validators of the request schemas, so that no process spends time on loading Ajv and compiling them. */
export const requestValidators = {
  file: 'schemas/request-validators.ts',
  make: (): string => {
    const ajv = new Ajv({ strict: true, allErrors: true, code: { source: true, esm: true } });
    const names = Object.keys(requestSchemas);
    for (const [name, schema] of Object.entries(requestSchemas)) ajv.addSchema(schema, name);
    const code = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
    const entries = [...code.matchAll(EXPORT)].map(([, name, validate]) => `${name}: ${validate}`);
    const lines = code.replace('"use strict";', '').replaceAll(LENGTH, 'length.default').replaceAll(EXPORT, '\n');
    if (lines.includes('require(')) throw new Error('a request schema needs another part of Ajv at run time');
    return `${head}${lines}\n\nexport const validators = { ${entries.join(', ')} };\n`;
  },
};
