import { assumptions } from '../../../reference-service/assumptions/table.ts';
import { startService } from '../../../reference-service/index.ts';
import { environmentOn } from '../../drill/drill-environment.ts';
import { type Row, readingsOf } from '../../drill/readings.ts';
import type { Surveyed } from './scores.ts';
import { answerIn, lists, type Truth } from './strangers/truth.ts';
import { withFolder } from './surveyed.ts';

const assumed = new Map<string, string>(
  assumptions.flatMap(({ operations, question, answer }) =>
    operations.map((id) => [`${id} ${question}`, answer] as const),
  ),
);

/**
 * Answers that differ between `readProfile` and `updateProfile`. All others are the same, because both have the same headers, and a read
 * shows what an update writes.
 */
const ofReads: Truth = [
  ['readProfile', /^success-status$/, '200'],
  ['readProfile', /^answer-shape$/, /^\{userId: string, name: /],
  ['readProfile', /^unknown-user$/, 'refused with 404'],
];

function on(row: Row, truth: Truth): Surveyed {
  return {
    play: (work) =>
      withFolder(async () => {
        const service = await startService({ port: 0, quiet: true });
        service.faults.set(...readingsOf(row).flatMap(({ changes }) => changes('')));
        try {
          const { facts: _, ...environment } = await environmentOn(row, service);
          return await work(environment);
        } finally {
          await service.stop();
        }
      }),
    expected: (operation, question) =>
      answerIn([...truth, ...ofReads], operation, question) ??
      assumed.get(`${operation === 'readProfile' ? 'updateProfile' : operation} ${question}`),
  };
}

const changing = 'block unblock love unlove report cloneType updateProfile';

/** Variants of the reference service, each with another reading of the specification, and the answers that a survey must find. */
export const onReadings: Readonly<Record<string, Surveyed>> = {
  'refuses what was done already': on(
    {
      ...{ errorForm: 'problem', changeAgain: 'refused', unknownUser: 'refused', reportAgain: 'refused' },
      ...{ successStatus: 'empty', 'profile-form': 'online' },
    },
    [
      [changing, /^success-status$/, '204'],
      ['saveAvatar', /^success-status$/, '204; the first save of an avatar was not observed'],
      [`${changing} saveAvatar`, /^answer-shape$/, 'no body'],
      ['*', /^error-shape$/, 'application/problem+json {type, title, status}'],
      ['block love report', /^repeat$/, 'refused with 409'],
      ['block', /^unknown-user$/, 'refused with 404'],
      ['love', /^love-shown$/, "the caller's next response to love shows it at the status"],
      ['*', /^profile-form$/, 'online'],
      ['*', /^allowed-values:gender$/, '0, 1; not -1, 2, 3, 9, 100'],
      ['*', /^allowed-values:status$/, '"", "online", "away"; not "sextant-invented"'],
    ],
  ),
  'returns links, and takes much': on(
    {
      ...{ idForm: 'address', successStatus: 'created', 'type-version': 'source', 'profile-form': 'active-2' },
      ...{ headerEmpty: 'accepted', unknownFields: 'accepted', reportCodes: 'some' },
    },
    [
      [changing, /^success-status$/, '201'],
      ['saveAvatar', /^success-status$/, '201; the first save of an avatar was not observed'],
      [lists, /^answer-shape$/, '{href: string, blockedAt: date-time}[]'],
      ['report cloneType', /^answer-shape$/, /^\{(reportId|TypeName)\?: /],
      ['*', /^(unknown-field$|empty-header:)/, 'accepted'],
      ['*', /^codes-at-once$/, 'some'],
      ['*', /^type-version$/, 'source'],
      ['cloneType', /^repeat$/, 'accepted'],
      ['*', /^profile-form$/, 'active-2'],
      ['*', /^allowed-values:gender$/, '0, 2, 3; not -1, 1, 9, 100'],
      ['*', /^allowed-values:status$/, '""; not "online", "away", "sextant-invented"'],
    ],
  ),
  'says little, and throttles': on(
    {
      ...{ bodyForm: 'nothing', errorForm: 'text', idForm: 'key', throttling: 'often' },
      ...{ headerMissing: 'accepted', flagDefault: 'decides', 'avatar-form': 'plain' },
    },
    [
      [`${changing} saveAvatar`, /^answer-shape$/, 'no body'],
      [lists, /^answer-shape$/, '{[name]: {blockedAt: date-time}}'],
      ['evaluate', /^answer-shape$/, '{key: string, on: boolean}'],
      ['*', /^error-shape$/, 'text/plain, no JSON'],
      ['*', /^missing-header:(mm-(client|user)-id|app-\w+)$/, 'accepted'],
      ['*', /^default-fallback$/, 'on or off, as the default says'],
      ['*', /^avatar-form$/, 'plain'],
    ],
  ),
};
