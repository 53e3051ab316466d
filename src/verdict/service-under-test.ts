import type { Facts } from '../facts/index.ts';
import type { Route } from '../http/index.ts';
import type { AreaId, CallableId, Effect, Operation } from '../service/index.ts';

export interface RateLimits {
  readonly maxRequestsPerSecond?: number;
  readonly maxConcurrency?: number;
  /** Longest Retry-After to wait for, in ms. */
  readonly retryAfterLimitMs: number;
  /** True for surveys, which judge nothing. They also wait after a 429 without Retry-After, and these waits grow. */
  readonly waitsUnasked?: true;
}

/** The service signals success in the body: the value at `pointer` equals `value`. */
export interface SuccessRule {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string;
  readonly value: unknown;
  /** The text of SUCCESS_WHEN in the environment's file, for messages. */
  readonly text: string;
}

export interface ServiceUnderTest {
  readonly name: string;
  /** Base address by area; each ends in a slash. */
  readonly addresses: Readonly<Record<AreaId, URL>>;
  /** The route to the addresses: proxy, pins and TLS. Absent for a plain direct connection. */
  readonly route?: Route;
  readonly allowedEffects: ReadonlySet<Effect>;
  readonly requestTimeoutMs: number;
  readonly consistencyTimeoutMs: number;
  readonly slowAfterMs: number;
  /** Largest response, in bytes after decompression. */
  readonly maxAnswerBytes: number;
  /** Largest headers of a response, in bytes. */
  readonly maxHeaderBytes: number;
  readonly rateLimits?: RateLimits;
  /** The header with the run id; null: no such header. */
  readonly runHeader?: string | null;
  /** Whether requests carry `traceparent`; absent: yes. */
  readonly sendsTraceparent?: boolean;
  readonly successWhen?: SuccessRule;
  /** The two numeric segments in the paths of the block lists. The specification doesn't define their meaning. */
  readonly blockListSegments: { readonly n1: string; readonly n2: string };
  /** Operation 12 of the specification, which reads a friend's profile. FRIEND_PROFILE_REQUEST gives its method and path. */
  readonly readProfile?: Operation;
  readonly observed?: Observed;
  /** Answers to open questions about this service. Absent if no question has been asked. */
  readonly facts?: Facts;
  readonly contract?: Contract;
}

/** A schema that a survey infers from responses. It has no references and no alternatives, and constrains only what enough samples show. */
export interface FlatSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, FlatSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: FlatSchema;
  readonly items?: FlatSchema;
}

/** Checks a value against a schema. Returns each problem in words, e.g. `/items/0/id is missing`; none if the value conforms. */
export type Conformance = (value: unknown) => readonly string[];

export interface SpecifiedValue {
  readonly name: string;
  readonly in: 'header' | 'path' | 'query';
  readonly required: boolean;
  /** Checks the text of the value; absent if the value has no schema. */
  readonly holds?: Conformance;
}

/** Checks of bodies by media type (in lower case, without parameters); `undefined` for a media type without a schema. */
export type SpecifiedContent = ReadonlyMap<string, Conformance | undefined>;

export interface SpecifiedResponse {
  /** Absent if nothing is specified about the body. */
  readonly content?: SpecifiedContent;
  readonly headers: readonly SpecifiedValue[];
}

export interface SpecifiedOperation {
  readonly file: string;
  /** Method and path as the document has them: `GET /v1/friends/block/{offset}/{limit}`. */
  readonly place: string;
  readonly parameters: readonly SpecifiedValue[];
  readonly requestBody?: { readonly required: boolean; readonly content: SpecifiedContent };
  /** Responses by status: `200`, `4XX`, `default`. */
  readonly responses: ReadonlyMap<string, SpecifiedResponse>;
}

/** The team's own contract: what its OpenAPI documents specify of the operations. */
export interface Contract {
  /** The names of the documents, as messages show them. */
  readonly documents: readonly string[];
  readonly operations: ReadonlyMap<CallableId, SpecifiedOperation>;
  /** Operations that are in none of the documents, and so are not checked; each as `block (POST /v1/friends/block)`. */
  readonly unmatched: readonly string[];
  /** Patterns of the documents in a dialect that can't be read, each with its place. Values are not checked against them. */
  readonly ignored: readonly string[];
  /** Schemas that refer back to themselves for the same value, each with its place. They are ignored. */
  readonly circular: readonly string[];
}

export interface ObservedResponse {
  /** Content types in lower case, without parameters; null for a response without a content type. */
  readonly contentTypes: readonly (string | null)[];
  readonly samples: number;
  /** Time of the observation (ISO 8601). */
  readonly observedAt: string;
  /** How often there was a JSON body. `text`: the bodies aren't JSON, so they are not checked. */
  readonly body: 'always' | 'sometimes' | 'never' | 'text';
  readonly schema?: FlatSchema;
}

/** The content of a file `schemas/observed/<environment>/<operation>.json`. */
export interface ObservedOperation {
  readonly operation: string;
  /** Responses by kind: the status, or `200 refused` for a 200 that SUCCESS_WHEN doesn't accept. */
  readonly answers: Readonly<Record<string, ObservedResponse>>;
}

export type Observed = ReadonlyMap<string, ObservedOperation>;
