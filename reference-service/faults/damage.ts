import type { CallArguments } from '../../src/spec/index.ts';
import { ofKind } from './kind.ts';
import { crashWhen, type MakeHandler } from './tamper.ts';

const updates = 'part 4, rule 3, and part 2: row 11 updates the name, which is a string';
const valid = 'common sense: a text that is valid JSON is no server error';

const renaming =
  (damage: (name: string) => string): MakeHandler<CallArguments<'updateProfile'>> =>
  (original) =>
  (visit) =>
    original({ ...visit, args: { ...visit.args, name: damage(visit.args.name ?? '') } });

/** What a name becomes on its way through a database, a template or a decoder of another time; with a report of it. */
const damaged = (seenIn: string, damage: (name: string) => string) => ({ seenIn, handle: renaming(damage) });

/** Texts that come back as others. */
export const damageFaults = ofKind('state', updates, {
  'updateProfile-cuts-at-an-emoji': damaged('mozilla/fxa-profile-server#186', (name) =>
    name.replace(/\p{Extended_Pictographic}.*/su, ''),
  ),
  'updateProfile-makes-question-marks-of-emoji': damaged('humhub/humhub#6853', (name) =>
    name.replace(/[\u{10000}-\u{10ffff}]/gu, '????'),
  ),
  'updateProfile-escapes-quotes': damaged('SimpleMachines/SMF#1755', (name) =>
    name.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
  ),
  'updateProfile-escapes-ampersands': damaged('wordpress-mobile/WordPress-iOS#7114', (name) =>
    name.replaceAll('&', '&amp;'),
  ),
  'updateProfile-drops-backslashes': damaged('Automattic/wp-calypso#11894', (name) => name.replaceAll('\\', '')),
  'updateProfile-cuts-at-an-apostrophe': damaged('MediaBrowser/Emby#408', (name) => name.replace(/'.*/s, '')),
  'updateProfile-encodes-twice': damaged('keybase/keybase-issues#897', (name) => Buffer.from(name).toString('latin1')),
  'updateProfile-drops-marks': damaged('aaronpk/webmention.io#203', (name) => name.replace(/\p{Mark}/gu, '')),
  'updateProfile-keeps-latin-letters-alone': damaged('bluewave-labs/Checkmate#1595', (name) =>
    name.replace(/[^\u0020-\u024f\p{Mark}]/gu, ''),
  ),
  'updateProfile-cuts-long-names': damaged('mozilla/fxa-profile-server#186', (name) => [...name].slice(0, 32).join('')),
  'updateProfile-drops-spaces-around': {
    grade: 'assumed',
    breaks: 'part 2: the name is a string; part 8 shows no limits',
    ...damaged('medic/cht-core#4103', (name) => name.trim()),
    driftsAfter: 1,
  },
  'updateProfile-lowers-the-url': {
    breaks:
      'part 4, rule 3, and part 2: row 11 updates the url, which is a string; the path of an address is case-sensitive',
    handle: (original) => (visit) =>
      original({ ...visit, args: { ...visit.args, url: visit.args.url?.toLowerCase() ?? '' } }),
  },
  'report-crashes-on-an-apostrophe': { breaks: valid, respond: crashWhen((body) => body.includes("'")) },
  'updateProfile-crashes-on-a-quote': {
    breaks: valid,
    seenIn: 'ONSdigital/eq-survey-runner#1060',
    respond: crashWhen((body) => /\\"Jo|\\\\"/.test(body)),
  },
});
