import { KNOWN_REPORT_CODE } from '../../schemas/index.ts';
import { created, ok } from '../handler-request.ts';
import { Refusal } from '../refusal.ts';
import { loveCount } from '../state/index.ts';
import { ofKind } from './kind.ts';
import { bodied, crashOn, once, refusing } from './tamper.ts';

type Option = { readonly code: string; readonly label: string };

const options = bodied<readonly Option[]>;
const knownCode =
  'part 2, story report: the only code that appears is SEXUALLY_INAPPROPRIATE; rule 2: the options contain it';
const ownCodes = 'part 4, rule 2: the values of reports come from the report options';

const refuse =
  (...refusal: ConstructorParameters<typeof Refusal>) =>
  (): never => {
    throw new Refusal(...refusal);
  };

export const storyFaults = ofKind('state', knownCode, {
  'love-works-once-for-each-user': {
    breaks: 'common sense: an unloved story can be loved again',
    handle: once(({ userId }) => userId, refuse(409)),
  },
  'unlove-works-once-for-each-user': {
    breaks: 'common sense: a story that was loved again can be unloved again',
    handle: once(({ userId }) => userId, refuse(409)),
  },
  'unlove-crashes-on-an-unknown-story': {
    breaks: 'common sense: an unknown id is the caller’s mistake, a 4xx',
    respond: crashOn('unknown_story'),
  },
  'unlove-finds-no-love': { breaks: 'part 1 and row 6: a loved story can be unloved', handle: () => refuse(404) },
  'love-of-one-user-bars-the-others': {
    breaks: 'common sense: two users can love one story',
    handle: (original) => (visit) => {
      const before = loveCount(visit.state, visit.args.storyId);
      const response = original(visit);
      if (before > 0 && loveCount(visit.state, visit.args.storyId) > before) throw new Refusal(409);
      return response;
    },
  },
  'love-not-written': {
    grade: 'assumed',
    breaks: 'row 5: the story is loved',
    handle:
      () =>
      ({ args }) =>
        ok({ storyId: args.storyId, loved: true, loves: 1 }),
    seenIn: 'opentrials/opentrials#669',
    breaksFact: "love love-shown: the friend's next response to love shows it at /loves",
  },
  'reportOptions-without-the-known-code': options((list) => list.filter(({ code }) => code !== KNOWN_REPORT_CODE)),
  'reportOptions-of-other-languages-without-the-known-code': (original) => (visit) => {
    const reply = original(visit);
    if (visit.args.language === 'en') return reply;
    return { ...reply, body: (reply.body as Option[]).filter(({ code }) => code !== KNOWN_REPORT_CODE) };
  },
  'reportOptions-misspell-the-known-code': options((list) =>
    list.map((option) => ({ ...option, code: option.code.replace('UALLY', 'UALY') })),
  ),
  'reportOptions-in-lower-case': options((list) =>
    list.map((option) => ({ ...option, code: option.code.toLowerCase() })),
  ),
  'reportOptions-labels-without-codes': { breaks: ownCodes, handle: options((list) => list.map(({ label }) => label)) },
  'reportOptions-are-empty': { breaks: 'part 4, rule 2: row 7 returns the report options', handle: options(() => []) },
  'reportOptions-know-no-language': {
    breaks: 'part 4, rule 2: row 7 returns the report options for the language given',
    handle: () => refuse(404, 'unknown_language', 'there are no report options in this language'),
  },
  'report-refuses-the-known-code': refusing(({ args }) => args.reports.includes(KNOWN_REPORT_CODE), 400),
  'report-refuses-an-option-of-its-own': {
    breaks: ownCodes,
    handle: refusing(({ args }) => args.reports.includes('SPAM'), 400),
  },
  'report-takes-one-code-only': {
    breaks: 'part 2, story report: reports is an array of codes',
    handle: refusing(({ args }) => args.reports.length > 1, 400),
  },
  'report-not-written': {
    grade: 'assumed',
    breaks: 'row 8: the story is reported',
    handle:
      () =>
      ({ args }) =>
        created({ reportId: 'report-0', ...args }),
    survives: 'No documented operation reads reports.',
  },
});
