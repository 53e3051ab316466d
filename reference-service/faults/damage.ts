import { handle, ofKind } from './kind.ts';
import { crashWhen } from './tamper.ts';

const updates = 'part 4, rule 3, and part 2: row 11 updates the name, which is a string';

/** What a name becomes on its way through a database, a template or a decoder of another time; with a report of each. */
const damages: readonly (readonly [name: string, seenIn: string, damage: (name: string) => string])[] = [
  ['cuts-at-an-emoji', 'mozilla/fxa-profile-server#186', (name) => name.replace(/\p{Extended_Pictographic}.*/su, '')],
  ['makes-question-marks-of-emoji', 'humhub/humhub#6853', (name) => name.replace(/[\u{10000}-\u{10ffff}]/gu, '????')],
  ['escapes-quotes', 'SimpleMachines/SMF#1755', (name) => name.replaceAll('"', '&quot;').replaceAll("'", '&#39;')],
  ['escapes-ampersands', 'wordpress-mobile/WordPress-iOS#7114', (name) => name.replaceAll('&', '&amp;')],
  ['drops-backslashes', 'Automattic/wp-calypso#11894', (name) => name.replaceAll('\\', '')],
  ['cuts-at-an-apostrophe', 'MediaBrowser/Emby#408', (name) => name.replace(/'.*/s, '')],
  ['encodes-twice', 'keybase/keybase-issues#897', (name) => Buffer.from(name).toString('latin1')],
  ['drops-marks', 'aaronpk/webmention.io#203', (name) => name.replace(/\p{Mark}/gu, '')],
  [
    'keeps-latin-letters-alone',
    'bluewave-labs/Checkmate#1595',
    (name) => name.replace(/[^\u0020-\u024f\p{Mark}]/gu, ''),
  ],
  ['cuts-long-names', 'mozilla/fxa-profile-server#186', (name) => [...name].slice(0, 32).join('')],
];

const renaming = (damage: (name: string) => string) =>
  handle<'updateProfile'>(
    (original) => (visit) => original({ ...visit, args: { ...visit.args, name: damage(visit.args.name ?? '') } }),
  );

/** Texts that come back as others. */
export const damageFaults = ofKind('state', [
  ...damages.map(([what, seenIn, damage]) => ({
    name: `updateProfile-${what}`,
    operation: 'updateProfile' as const,
    grade: 'documented' as const,
    breaks: updates,
    seenIn,
    handle: renaming(damage),
  })),
  {
    name: 'updateProfile-drops-spaces-around',
    operation: 'updateProfile',
    grade: 'assumed',
    breaks: 'part 2: the name is a string; part 8 shows no limits',
    seenIn: 'medic/cht-core#4103',
    handle: renaming((name) => name.trim()),
    driftsAfter: 1,
  },
  {
    name: 'updateProfile-lowers-the-url',
    operation: 'updateProfile',
    grade: 'documented',
    breaks:
      'part 4, rule 3, and part 2: row 11 updates the url, which is a string; the path of an address is case-sensitive',
    handle: handle<'updateProfile'>(
      (original) => (visit) =>
        original({ ...visit, args: { ...visit.args, url: visit.args.url?.toLowerCase() ?? '' } }),
    ),
  },
  {
    name: 'report-crashes-on-an-apostrophe',
    operation: 'report',
    grade: 'assumed',
    breaks: 'common sense: a text that is valid JSON is no server error',
    respond: crashWhen((body) => body.includes("'")),
  },
  {
    name: 'updateProfile-crashes-on-a-quote',
    operation: 'updateProfile',
    grade: 'assumed',
    breaks: 'common sense: a text that is valid JSON is no server error',
    seenIn: 'ONSdigital/eq-survey-runner#1060',
    respond: crashWhen((body) => /\\"Jo|\\\\"/.test(body)),
  },
]);
