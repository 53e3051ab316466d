import { KNOWN_REPORT_CODE, PROFILE_INCLUDES } from '../../schemas/records.ts';
import type { RequestSchemaName } from '../../schemas/requests.ts';
import type { PathOperationId } from './callable.ts';
import type { ExportedBodies, Samples, Trials } from './sample-source.ts';

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

export const paths: Samples<PathOperationId> = {
  listBlocked: ({ segments }) => segments,
  listBlockers: ({ segments }) => segments,
  reportOptions: async ({ language }) => ({ language: await language() }),
  deleteItem: async ({ item }) => ({ id: await item() }),
};

const clone = (FromClientId: string, TypeName: string, TypeVersion: string) => {
  return { FromClientId, TypeName, TypeVersion, Files: [], IsSetDefaultTypeVersion: false };
};

/**
 * Arguments for a first call of operations that only read, in an environment about which little is known yet. For each area, the first
 * operation in the order of the specification is called.
 */
export const trials: Trials = {
  listBlocked: { args: (_, { segments }) => segments, keys: ['BLOCK_LIST_SEGMENTS'] },
  reportOptions: {
    args: (value, { language }) => ({ language: value('REPORT_LANGUAGE') ?? language }),
    keys: ['REPORT_LANGUAGE'],
  },
  // The flag need not exist: for an unknown flag, the service returns the default value.
  evaluate: {
    args: (value) => ({
      key: value('FLAG_KEY') ?? 'sextant-guided-start',
      default: 'false',
      contextData: { source: 'sextant' },
    }),
    keys: ['FLAG_KEY'],
  },
};

/**
 * Request bodies for an export to other tools. A variable takes the place of each value whose key is in the environment. For a record that
 * is missing here, the export contains only an outline of the body.
 */
export const exportedBodies: ExportedBodies = {
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
  designTypeClone: (use) => clone(use('FROM_CLIENT_ID'), use('TYPE_NAME'), use('TYPE_VERSION')),
  featureEvaluation: (use) => ({ key: use('FLAG_KEY'), default: 'false', contextData: { source: 'sextant-export' } }),
};
