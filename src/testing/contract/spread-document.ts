import type { Files } from '../own-folder.ts';

/** A document of one path, as YAML. */
export const paths = (item: string) => `openapi: 3.0.3\npaths:\n  /v1/friends/block/{n1}/{n2}:\n    ${item}\n`;
const pathFile = 'get:\n  responses:\n    "200":\n      $ref: "../responses.yaml#/List"\n';
const responses = 'List:\n  content:\n    application/json:\n      schema: { $ref: "schemas/list.json" }\n';
const list = { type: 'array', items: { $ref: 'entry.yaml#/definitions/Entry' } };
const entry =
  'definitions:\n  Entry:\n    type: object\n    required: [userId]\n    properties:\n      friend: { $ref: "#/definitions/Entry" }\n';
/** A document in five files, of YAML and JSON, that refer to each other and to themselves. */
export const spread = {
  'openapi.yaml': paths('$ref: paths/list.yaml'),
  'paths/list.yaml': pathFile,
  'responses.yaml': responses,
  'schemas/list.json': list,
  'schemas/entry.yaml': entry,
} satisfies Files;
