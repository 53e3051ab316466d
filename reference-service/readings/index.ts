import type { openQuestions, QuestionId } from '../../src/spec/index.ts';
import {
  anotherAccepted,
  changeAgainRefused,
  emptyAccepted,
  fewReportCodes,
  missingAccepted,
  plainAvatars,
  profilesOf,
  reportAgainRefused,
  sourceVersion,
  unknownFieldsAccepted,
  unknownUsersRefused,
  wrongAccepted,
} from './requests.ts';
import {
  addresses,
  alwaysOk,
  enveloped,
  keyed,
  lagging,
  noContent,
  pageErrors,
  problemErrors,
  silentErrors,
  switches,
  textErrors,
  throttling,
  withoutBodies,
  withStatus,
} from './responses.ts';
import { asItIs, type ServiceReading } from './service-reading.ts';

type Readings = {
  readonly [Q in QuestionId]: { readonly [R in keyof (typeof openQuestions)[Q]['readings']]: ServiceReading };
};

/**
 * Every reading of every open question, as this service can have it: a further reading in the table doesn't compile without.
 * Later entries wrap earlier ones: the success signal is added last.
 */
export const serviceReadings: Readings = {
  typeVersion: { copy: asItIs, source: sourceVersion },
  unknownUser: { accepted: asItIs, refused: unknownUsersRefused },
  reportAgain: { accepted: asItIs, refused: reportAgainRefused },
  reportCodes: { all: asItIs, some: fewReportCodes },
  flagDefault: { returned: asItIs, decides: switches },
  avatarForm: { marked: asItIs, plain: plainAvatars },
  profileForm: {
    text: asItIs,
    online: profilesOf(['online', 'away'], [1]),
    active: profilesOf(['active', 'idle'], [1]),
    'online-2': profilesOf(['online', 'away'], [2, 3]),
    'active-2': profilesOf(['active', 'idle'], [2, 3]),
  },
  headerMissing: { refused: asItIs, accepted: missingAccepted },
  headerEmpty: { refused: asItIs, accepted: emptyAccepted },
  headerWrong: { refused: asItIs, accepted: wrongAccepted },
  headerOfAnother: { refused: asItIs, accepted: anotherAccepted },
  changeAgain: { accepted: asItIs, refused: changeAgainRefused },
  requestRate: { any: asItIs },
  unknownFields: { refused: asItIs, accepted: unknownFieldsAccepted },
  listLag: { none: asItIs, some: lagging },
  idForm: { bare: asItIs, address: addresses, key: keyed },
  bodyForm: { bare: asItIs, envelope: enveloped, nothing: withoutBodies },
  successStatus: { ok: asItIs, created: withStatus(201), accepted: withStatus(202), empty: noContent },
  errorForm: { json: asItIs, problem: problemErrors, text: textErrors, page: pageErrors, nothing: silentErrors },
  successRule: { status: asItIs, body: alwaysOk },
};

/** Properties outside the specification that every suite meets. */
export const circumstances = {
  throttling: { never: asItIs, often: throttling },
} as const satisfies Record<string, Readonly<Record<string, ServiceReading>>>;

export type { ServiceReading } from './service-reading.ts';
