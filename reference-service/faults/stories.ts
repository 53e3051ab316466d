import { KNOWN_REPORT_CODE } from '../../schemas/index.ts';
import { created, ok } from '../handler-request.ts';
import { Refusal } from '../refusal.ts';
import { handle, ofKind } from './kind.ts';
import { bodied, crashOn } from './tamper.ts';

type Option = { readonly code: string; readonly label: string };

const options = (change: (list: readonly Option[]) => unknown) => bodied((body) => change(body as readonly Option[]));
const knownCode =
  'part 2, story report: the only code that appears is SEXUALLY_INAPPROPRIATE; rule 2: the options contain it';
const ownCodes = 'part 4, rule 2: the values of reports come from the report options';

export const storyFaults = ofKind('state', [
  {
    name: 'love-works-once-for-each-user',
    operation: 'love',
    grade: 'assumed',
    breaks: 'common sense: an unloved story can be loved again',
    handle: handle<'love'>((original) => {
      const done = new Set<string>();
      return (visit) => {
        if (done.has(visit.userId)) throw new Refusal(409, 'already_loved', 'loved already');
        done.add(visit.userId);
        return original(visit);
      };
    }),
  },
  {
    name: 'unlove-works-once-for-each-user',
    operation: 'unlove',
    grade: 'assumed',
    breaks: 'common sense: a story that was loved again can be unloved again',
    handle: handle<'unlove'>((original) => {
      const done = new Set<string>();
      return (visit) => {
        if (done.has(visit.userId)) throw new Refusal(409, 'not_loved', 'not loved');
        done.add(visit.userId);
        return original(visit);
      };
    }),
  },
  {
    name: 'unlove-crashes-on-an-unknown-story',
    operation: 'unlove',
    grade: 'assumed',
    breaks: 'common sense: an unknown id is the caller’s mistake, a 4xx',
    respond: crashOn('unknown_story'),
  },
  {
    name: 'unlove-finds-no-love',
    operation: 'unlove',
    grade: 'documented',
    breaks: 'part 1 and row 6: a loved story can be unloved',
    handle: handle<'unlove'>(() => () => {
      throw new Refusal(404, 'not_loved', 'not loved');
    }),
  },
  {
    name: 'love-of-one-user-bars-the-others',
    operation: 'love',
    grade: 'assumed',
    breaks: 'common sense: two users can love one story',
    handle: handle<'love'>((original) => (visit) => {
      const before = visit.state.stories.loveCount(visit.args.storyId);
      const response = original(visit);
      if (before > 0 && visit.state.stories.loveCount(visit.args.storyId) > before)
        throw new Refusal(409, 'already_loved', 'loved already');
      return response;
    }),
  },
  {
    name: 'love-not-written',
    operation: 'love',
    grade: 'assumed',
    breaks: 'row 5: the story is loved',
    handle: handle<'love'>(
      () =>
        ({ args }) =>
          ok({ storyId: args.storyId, loved: true, loves: 1 }),
    ),
    seenIn: 'opentrials/opentrials#669',
    driftsAfter: 8,
  },
  {
    name: 'reportOptions-without-the-known-code',
    operation: 'reportOptions',
    grade: 'documented',
    breaks: knownCode,
    handle: options((list) => list.filter(({ code }) => code !== KNOWN_REPORT_CODE)),
  },
  {
    name: 'reportOptions-misspell-the-known-code',
    operation: 'reportOptions',
    grade: 'documented',
    breaks: knownCode,
    handle: options((list) => list.map((option) => ({ ...option, code: option.code.replace('UALLY', 'UALY') }))),
  },
  {
    name: 'reportOptions-in-lower-case',
    operation: 'reportOptions',
    grade: 'documented',
    breaks: knownCode,
    handle: options((list) => list.map((option) => ({ ...option, code: option.code.toLowerCase() }))),
  },
  {
    name: 'reportOptions-labels-without-codes',
    operation: 'reportOptions',
    grade: 'documented',
    breaks: ownCodes,
    handle: options((list) => list.map(({ label }) => label)),
  },
  {
    name: 'reportOptions-are-empty',
    operation: 'reportOptions',
    grade: 'documented',
    breaks: 'part 4, rule 2: row 7 returns the report options',
    handle: options(() => []),
  },
  {
    name: 'reportOptions-know-no-language',
    operation: 'reportOptions',
    grade: 'documented',
    breaks: 'part 4, rule 2: row 7 returns the report options for the language given',
    handle: () => () => {
      throw new Refusal(404, 'unknown_language', 'there are no report options in this language');
    },
  },
  {
    name: 'report-refuses-the-known-code',
    operation: 'report',
    grade: 'documented',
    breaks: knownCode,
    handle: handle<'report'>((original) => (visit) => {
      if (visit.args.reports.includes(KNOWN_REPORT_CODE)) throw new Refusal(400, 'unknown_report_code', 'no such code');
      return original(visit);
    }),
  },
  {
    name: 'report-refuses-an-option-of-its-own',
    operation: 'report',
    grade: 'documented',
    breaks: ownCodes,
    handle: handle<'report'>((original) => (visit) => {
      if (visit.args.reports.includes('SPAM')) throw new Refusal(400, 'unknown_report_code', 'no such code');
      return original(visit);
    }),
  },
  {
    name: 'report-takes-one-code-only',
    operation: 'report',
    grade: 'documented',
    breaks: 'part 2, story report: reports is an array of codes',
    handle: handle<'report'>((original) => (visit) => {
      if (visit.args.reports.length > 1) throw new Refusal(400, 'invalid_body', 'one code, please');
      return original(visit);
    }),
  },
  {
    name: 'report-not-written',
    operation: 'report',
    grade: 'assumed',
    breaks: 'row 8: the story is reported',
    handle: handle<'report'>(
      () =>
        ({ args }) =>
          created({ reportId: 'report-0', ...args }),
    ),
    survives: 'No documented operation reads reports.',
  },
]);
