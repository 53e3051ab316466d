import { KNOWN_REPORT_CODE } from '../../../schemas/index.ts';
import { ApiResponse } from '../../client/index.ts';
import { type OpenQuestion, openQuestions, type QuestionId } from '../../spec/index.ts';
import { type Asker, Undecided } from './asker/asker.ts';
import { among, once, type Question } from './question.ts';

/** Which form of valid arguments a service takes: the first one that is accepted, of those that the specification allows. */
function ofForm(id: string, about: QuestionId): Question {
  const { openIn, readings, formOf = [] }: OpenQuestion = openQuestions[about];
  const words = Object.entries(readings).map(([name, meaning]) => `${name}: ${meaning}`);
  return {
    id,
    of: once(id, among(...formOf)),
    openIn,
    answers: words.join('; '),
    form: new RegExp(`^(${Object.keys(readings).join('|')})$`),
    experiment: 'valid requests in one form after the other, until one is accepted',
    ...(about === 'profileForm' ? { askedByRuns: true } : {}),
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

/** How many codes one report may hold. A user may report a story only once, so each report is a fresh user's where there is a provisioner. */
const codesAtOnce: Question = {
  id: 'codes-at-once',
  of: once('codes-at-once', among('report')),
  openIn: 'part 8: limits are not shown',
  answers: 'all: every code of the options; some: several, but not all of them',
  form: /^(all|some)$/,
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
    // Between the two, one code alone and all of them again show that nothing else has changed.
    if (isAccepted(pair) && isAccepted(await send([first])) && !isAccepted(await send(codes)))
      return { answer: 'some', seen: [all, pair] };
    throw new Undecided('all codes are refused, and two of them as well', [all, pair]);
  },
};

export const forms: readonly Question[] = [
  ofForm('type-version', 'typeVersion'),
  ofForm('avatar-form', 'avatarForm'),
  ofForm('profile-form', 'profileForm'),
];

export const reports: readonly Question[] = [codesAtOnce];
