import type { CallableId } from '../../spec/index.ts';

/** Holds a value to a schema: its problems in words, one each, e.g. `/items/0/id is missing`; none if it conforms. */
export type Conformance = (value: unknown) => readonly string[];

/** A header of a response, or a parameter of a request. */
export interface SpecifiedValue {
  readonly name: string;
  readonly in: 'header' | 'path' | 'query';
  readonly required: boolean;
  /** Takes the value's text; absent without a schema. */
  readonly holds?: Conformance;
}

/** Bodies by media type, in lower case without parameters; `undefined` for one without a schema. */
export type SpecifiedContent = ReadonlyMap<string, Conformance | undefined>;

export interface SpecifiedResponse {
  /** Absent: nothing is specified about the body. */
  readonly content?: SpecifiedContent;
  readonly headers: readonly SpecifiedValue[];
}

/** An operation in the team's own OpenAPI document. */
export interface SpecifiedOperation {
  /** The document, as messages name it. */
  readonly file: string;
  /** `GET /v1/friends/block/{offset}/{limit}`, as the document has it. */
  readonly place: string;
  readonly parameters: readonly SpecifiedValue[];
  readonly requestBody?: { readonly required: boolean; readonly content: SpecifiedContent };
  /** By status: `200`, `4XX`, `default`. */
  readonly responses: ReadonlyMap<string, SpecifiedResponse>;
}

/** The team's own contract: what its OpenAPI documents specify of the operations. */
export interface Contract {
  /** The documents, as messages name them. */
  readonly documents: readonly string[];
  readonly operations: ReadonlyMap<CallableId, SpecifiedOperation>;
  /** The operations that are in none of the documents, and so are not held to any; each as `block (POST /v1/friends/block)`. */
  readonly unmatched: readonly string[];
}
