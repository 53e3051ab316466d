import type { KeyName } from '../../../config/index.ts';

/** An answer to what the environment needs to be judged right, or why there is none. */
export interface Found {
  /** A line for the person. */
  readonly text: string;
  /** A value that follows from it. */
  readonly sets?: { readonly key: KeyName; readonly value: string };
}
