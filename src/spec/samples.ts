import { KNOWN_REPORT_CODE, PROFILE_INCLUDES, type RequestSchemaName } from '../../schemas/index.ts';
import type { NamingKey } from './arguments.ts';
import type { PathOperationId } from './callable.ts';
import type { OperationId } from './operations.ts';

/** What the arguments of one scenario are made of. */
export interface SampleSource {
  /** @throws Skipped where the environment doesn't name one, or none is left. */
  readonly user: () => Promise<string>;
  readonly story: () => Promise<string>;
  readonly language: () => Promise<string>;
  readonly item: () => Promise<string>;
  readonly segments: { readonly n1: string; readonly n2: string };
  readonly typeClone: () => unknown;
  /** Invented values. */
  readonly data: {
    id(): string;
    text(): string;
    avatar(): unknown;
    profile(): unknown;
    context(): Readonly<Record<string, string>>;
  };
}

type Samples<Name extends string> = { readonly [N in Name]: (from: SampleSource) => unknown };

/** A valid body of each documented request. */
export const bodies: Samples<RequestSchemaName> = {
  friendReference: async ({ user }) => ({ friendId: await user() }),
  storyReference: async ({ story }) => ({ storyId: await story() }),
  storyReport: async ({ story, data }) => ({
    storyId: await story(),
    reports: [KNOWN_REPORT_CODE],
    message: data.text(),
  }),
  avatar: ({ data }) => data.avatar(),
  profile: ({ data }) => data.profile(),
  designTypeClone: ({ typeClone }) => typeClone(),
  featureEvaluation: ({ data }) => ({ key: data.text(), default: 'false', contextData: data.context() }),
};

/** Path parameters of each operation without a body. */
export const paths: Samples<PathOperationId> = {
  listBlocked: ({ segments }) => segments,
  listBlockers: ({ segments }) => segments,
  reportOptions: async ({ language }) => ({ language: await language() }),
  deleteItem: async ({ item }) => ({ id: await item() }),
};

/**
 * Arguments of changes that name nothing that exists: there is nothing to change, so any headers may be tried on them. Only where a
 * change is needed to compare with, because too few operations with its credential only read.
 */
export const harmless: { readonly [O in OperationId]?: (invented: string) => unknown } = {
  cloneType: (name) => ({
    FromClientId: name,
    TypeName: name,
    TypeVersion: '1',
    Files: [],
    IsSetDefaultTypeVersion: false,
  }),
};

interface Trial {
  /** Values by key; `lang` is the language of the caller's app. */
  readonly args: (value: (key: NamingKey) => string | undefined, from: TrialSource) => unknown;
  /** The keys of the environment with its values. */
  readonly keys: readonly string[];
}

interface TrialSource {
  readonly segments: SampleSource['segments'];
  /** The language of the caller's app. */
  readonly language: string;
}

/** How the operations that only read are tried where little is known of an environment yet: the first of an area is taken. */
export const trials: { readonly [O in OperationId]?: Trial } = {
  listBlocked: { args: (_, { segments }) => segments, keys: ['BLOCK_LIST_SEGMENTS'] },
  reportOptions: {
    args: (value, { language }) => ({ language: value('REPORT_LANGUAGE') ?? language }),
    keys: ['REPORT_LANGUAGE'],
  },
  // The flag need not exist: the service evaluates its default.
  evaluate: {
    args: (value) => ({
      key: value('FLAG_KEY') ?? 'sextant-guided-start',
      default: 'false',
      contextData: { source: 'sextant' },
    }),
    keys: ['FLAG_KEY'],
  },
};

type Bodies = { readonly [R in RequestSchemaName]?: (use: (key: NamingKey) => string) => unknown };

/** Bodies for other tools, with a variable where the environment names something; another record is exported in outline. */
export const exportedBodies: Bodies = {
  friendReference: (use) => ({ friendId: use('FRIEND_USER_ID') }),
  storyReference: (use) => ({ storyId: use('STORY_ID') }),
  storyReport: (use) => ({ storyId: use('STORY_ID'), reports: [KNOWN_REPORT_CODE], message: 'sextant-export' }),
  avatar: () => ({
    includes: '1;2',
    name: 'sextant-export',
    meta: 'colour=blue;size=2',
    items: [
      { itemId: '1', type: 1, designId: 'sextant-export' },
      { itemId: '2', type: 1 },
    ],
  }),
  profile: () => ({
    includes: PROFILE_INCLUDES.join(';'),
    name: 'sextant-export',
    status: 'sextant-export',
    url: 'https://images.example/sextant-export.png',
    gender: 1,
  }),
  designTypeClone: (use) => ({
    FromClientId: use('FROM_CLIENT_ID'),
    TypeName: use('TYPE_NAME'),
    TypeVersion: use('TYPE_VERSION'),
    Files: [],
    IsSetDefaultTypeVersion: false,
  }),
  featureEvaluation: (use) => ({ key: use('FLAG_KEY'), default: 'false', contextData: { source: 'sextant-export' } }),
};
