import type { RequestSchemaName } from '../../schemas/index.ts';
import type { NamingKey } from './arguments.ts';
import type { OperationId } from './operations.ts';

export interface SampleSource {
  /** @throws Skipped where the environment doesn't name one, or none is left. */
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

/** By operation that only reads: how it is tried where little is known of an environment yet. */
export type Trials = {
  readonly [O in OperationId]?: {
    /** Values by key; `language` is that of the caller's app. */
    readonly args: (
      value: (key: NamingKey) => string | undefined,
      from: Pick<SampleSource, 'segments'> & { readonly language: string },
    ) => unknown;
    readonly keys: readonly string[];
  };
};

/** By request record: a body for other tools, with a variable where the environment names something. */
export type ExportedBodies = { readonly [R in RequestSchemaName]?: (use: (key: NamingKey) => string) => unknown };
