import type { RequestSchemaName } from '../../schemas/index.ts';
import type { NamingKey } from './arguments.ts';
import type { OperationId } from './operations.ts';

export interface SampleSource {
  /** The id of another user. @throws Skipped if the environment names no other user, or no unused one */
  readonly user: () => Promise<string>;
  readonly story: () => Promise<string>;
  readonly language: () => Promise<string>;
  readonly item: () => Promise<string>;
  readonly segments: { readonly n1: string; readonly n2: string };
  readonly typeClone: () => unknown;
  readonly data: {
    id(): string;
    text(): string;
    avatar(): unknown;
    profile(): unknown;
    context(): Readonly<Record<string, string>>;
  };
}

export type Samples<Name extends string> = { readonly [N in Name]: (from: SampleSource) => unknown };

/** Arguments for a first call of operations that only read, in an environment about which little is known yet. */
export type Trials = {
  readonly [O in OperationId]?: {
    /** The arguments of the operation. `value` gives the environment's value for a key; `language` is the language of the caller's app. */
    readonly args: (
      value: (key: NamingKey) => string | undefined,
      from: Pick<SampleSource, 'segments'> & { readonly language: string },
    ) => unknown;
    readonly keys: readonly string[];
  };
};

/**
 * Request bodies for an export to other tools, by the name of their schema. `use` gets a key of the environment, such as `STORY_ID`, and
 * returns the tool's variable for the value of this key.
 */
export type ExportedBodies = { readonly [R in RequestSchemaName]?: (use: (key: NamingKey) => string) => unknown };
