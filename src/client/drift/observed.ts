/** Answers of one kind to one operation, as a survey saw them. */
export interface ObservedResponse {
  /** Without parameters, in lower case; null where there was none. */
  readonly contentTypes: readonly (string | null)[];
  readonly samples: number;
  /** ISO 8601. */
  readonly observedAt: string;
  /** Whether there was a JSON body; `text` where there were bodies that aren't JSON, which nobody is held to. */
  readonly body: 'always' | 'sometimes' | 'never' | 'text';
  /** JSON Schema of the body, where there is one. */
  readonly schema?: object;
}

/** `schemas/observed/<environment>/<operation>.json`. */
export interface ObservedOperation {
  readonly operation: string;
  /** By kind: the status; `200 refused` where SUCCESS_WHEN says that a 200 is none. */
  readonly answers: Readonly<Record<string, ObservedResponse>>;
}

/** What surveys learned of an environment, by operation. */
export type Observed = ReadonlyMap<string, ObservedOperation>;
