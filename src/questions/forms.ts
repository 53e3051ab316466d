import { KNOWN_REPORT_CODE } from '../../schemas/index.ts';
import { ApiResponse } from '../call/index.ts';
import type { CallableId } from '../service/index.ts';
import { type Asker, Undecided } from './asker/asker.ts';
import { among, meanings, once, type Question } from './question.ts';

/** Alternative forms of an operation's valid arguments, of which a service accepts at least one. */
export interface ArgumentForm {
  readonly question: string;
  /**
   * The operations whose arguments have these forms. A survey finds a fact about each of them, but runs use only the fact about the first
   * one.
   */
  readonly of: readonly [CallableId, ...CallableId[]];
  /** The subject, in words that complete the sentence `no fact says …`. */
  readonly about: string;
  readonly openIn: string;
  readonly askedByRuns?: true;
  /** The forms, each with its meaning in words. While no form is known to be accepted, the first one is sent. */
  readonly forms: Readonly<Record<string, string>>;
}

export const argumentForms: readonly ArgumentForm[] = [
  {
    question: 'type-version',
    of: ['cloneType'],
    about: 'which version a clone names',
    openIn: 'part 2, design type clone: "version label of the type"',
    forms: {
      source: "the label of the source's version, sent unchanged",
      copy: 'a new label for each copy',
    },
  },
  {
    question: 'avatar-form',
    of: ['saveAvatar'],
    about: 'what an avatar may hold',
    openIn: 'parts 2 and 8: allowed values and limits are not shown',
    forms: {
      marked: 'a generated name with a hyphen; meta as key=value pairs',
      plain: 'letters and digits only in names; numbers as ids; meta as JSON',
      'marked-shown': 'the same as `marked`, with items that a profile shows',
      'plain-shown': 'the same as `plain`, with items that a profile shows',
    },
  },
  {
    question: 'profile-form',
    of: ['updateProfile', 'getFriendProfile'],
    about: 'what a profile may hold',
    openIn: 'parts 2 and 8: allowed values of status and gender, and limits, are not shown',
    askedByRuns: true,
    forms: {
      text: 'status is any short text',
      online: 'status is one of some words, `online` among them',
      active: 'status is one of some words, `active` among them',
      'online-2': 'the same as `online`, with another gender code',
      'active-2': 'the same as `active`, with another gender code',
    },
  },
];

/** The forms of an operation's arguments; `undefined` if there is only one. */
export function formQuestionOf(id: string): ArgumentForm | undefined {
  return argumentForms.find(({ of }) => of.some((each) => each === id));
}

/** Makes the question: which form of valid arguments does the service accept? The answer is the first form that it accepts. */
function asQuestion({ question: id, of, openIn, askedByRuns, forms: known }: ArgumentForm): Question {
  return {
    id,
    of: once(id, among(...of)),
    openIn,
    answers: Object.entries(known)
      .map(([name, meaning]) => `${name}: ${meaning}`)
      .join('; '),
    form: new RegExp(`^(${Object.keys(known).join('|')})$`),
    broken: ({ was, now }) => [`no longer takes the form “${was}” of ${id}, but “${now}”`, 'it did'],
    experiment: 'valid requests in one form after the other, until one is accepted',
    ...(askedByRuns ? { askedByRuns } : {}),
    ask: async (asker) => {
      const exchange = await asker.control();
      return { answer: asker.requests.formOf(asker.id) ?? '', seen: [exchange] };
    },
    hold: async (asker, answer) => {
      const exchange = await asker.withControl();
      const found = asker.requests.formOf(asker.id) ?? answer;
      return { answer: found, seen: exchange ? [exchange] : [] };
    },
  };
}

/**
 * The question: how many codes may one report have? A user may be able to report a story only once, so with a provisioner each report comes
 * from a fresh user.
 */
const codesAtOnce: Question = {
  id: 'codes-at-once',
  of: once('codes-at-once', among('report')),
  openIn: 'part 8: limits are not shown',
  answers: 'all: every code of the options; some: several, but not all of them',
  form: /^(all|some)$/,
  broken: meanings({
    all: ['takes all codes at once', 'it took all codes'],
    some: ['takes only some of the codes at once', 'it took only some'],
  }),
  experiment: 'a report with every code of the options, with one code, and with two',
  ask: async (asker) => {
    const options = await asker.requests.control('reportOptions');
    const codes = new ApiResponse(options, new Set()).alike(KNOWN_REPORT_CODE);
    if (codes.length < 3) throw new Undecided('the options have fewer than three codes', [options]);
    const body = await asker.valid();
    const send = (reports: readonly string[]) => asker.send({ ...body, reports });
    const isAccepted = (exchange: Awaited<ReturnType<Asker['send']>>) => asker.clearly(exchange).kind === 'accepted';
    const all = await send(codes);
    if (isAccepted(all)) return { answer: 'all', seen: [all] };
    const [first = '', second = ''] = codes;
    const pair = await send([first, second]);
    // The service may have refused all codes for another reason, which no longer applies. So the answer is `some` only if the service still
    // accepts one code, and still refuses all codes.
    if (isAccepted(pair) && isAccepted(await send([first])) && !isAccepted(await send(codes)))
      return { answer: 'some', seen: [all, pair] };
    throw new Undecided('the service refuses all codes, and also two of them', [all, pair]);
  },
};

export const forms: readonly Question[] = argumentForms.map(asQuestion);

export const reports: readonly Question[] = [codesAtOnce];
