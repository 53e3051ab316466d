/** Observed responses of one kind to one operation. */
export interface ObservedResponse {
  /** Without parameters, in lower case; null for none. */
  readonly contentTypes: readonly (string | null)[];
  readonly samples: number;
  /** ISO 8601. */
  readonly observedAt: string;
  /** Whether there was a JSON body; `text`: bodies that aren't JSON, which are not checked. */
  readonly body: 'always' | 'sometimes' | 'never' | 'text';
  /** JSON Schema of the body, if there is one. */
  readonly schema?: object;
}

/** `schemas/observed/<environment>/<operation>.json`. */
export interface ObservedOperation {
  readonly operation: string;
  /** By kind: the status; `200 refused` for a 200 that SUCCESS_WHEN doesn't accept. */
  readonly answers: Readonly<Record<string, ObservedResponse>>;
}

/** Observed responses of an environment, by operation. */
export type Observed = ReadonlyMap<string, ObservedOperation>;
