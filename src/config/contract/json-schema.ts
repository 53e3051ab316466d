/** JSON Schema 2020-12, without annotations. */
export type JsonSchema = boolean | Readonly<Record<string, unknown>>;
