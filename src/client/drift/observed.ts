import type { CallableId } from '../../spec/index.ts';
import type { HttpResponse } from '../exchange.ts';
import type { SuccessRule } from '../target.ts';
import { isSuccess } from '../verdict/judge.ts';

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

/** The kind under which an answer is filed. */
export function responseKind(operation: CallableId, answer: HttpResponse, rule: SuccessRule | undefined): string {
  const isRefusal = answer.status < 300 && rule !== undefined && !isSuccess(operation, answer, rule);
  return `${answer.status}${isRefusal ? ' refused' : ''}`;
}
