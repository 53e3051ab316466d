import { KNOWN_REPORT_CODE } from '../../../schemas/index.ts';
import { ApiResponse, type Exchange } from '../../client/index.ts';
import type { Question } from '../asking/question.ts';
import { bodyOf, saysTheSame } from '../asking/reaction.ts';
import { type Finding, Undecided } from '../facts/fact.ts';
import { among, type Check, type Experiment, oneQuestion } from './experiment.ts';

/** Languages that a service may support, common ones first. */
export const triedLanguages = 'en de fr es it pt nl pl sv ru tr ar hi ja ko zh'.split(' ');

/** An invented language; two letters, so that only its meaning is wrong. */
const INVENTED = 'qx';

const unknownLanguage: Experiment['run'] = async (question) => {
  await question.withControl();
  return question.sendInvalid({ language: INVENTED });
};

type Served = Awaited<ReturnType<typeof askAllLanguages>>;

/** By the runner of the survey: two questions ask for the same. */
const servedTo = new WeakMap<Question['runner'], Served>();

async function served(question: Question): Promise<Served> {
  const found = servedTo.get(question.runner) ?? (await askAllLanguages(question));
  servedTo.set(question.runner, found);
  return found;
}

/**
 * Each supported language with its response. One with the same response as an invented one isn't supported, except the
 * environment's, which the team configured. `tried` is the number of requested languages.
 */
async function askAllLanguages(question: Question) {
  await question.withControl();
  const own = question.runner.environment.data.reportLanguage;
  const invented = await question.send({ language: INVENTED });
  const fallsBack = question.outcome(invented).kind !== 'refused';
  const again = fallsBack ? await question.send({ language: INVENTED }) : invented;
  const found: (readonly [language: string, exchange: Exchange])[] = [];
  const languages = new Set([...(own ? [own] : []), ...triedLanguages]);
  for (const language of languages) {
    const exchange = await question.send({ language });
    const { kind } = question.clearly(exchange, language);
    const isFallback =
      fallsBack && saysTheSame(bodyOf(exchange), [bodyOf(invented), bodyOf(again)], { from: INVENTED, to: language });
    if (kind === 'accepted' && (!isFallback || language === own)) found.push([language, exchange]);
  }
  return { found, tried: languages.size, fallsBack };
}

const languages: Experiment['run'] = async (question) => {
  const { found, tried, fallsBack } = await served(question);
  const names = found.map(([language]) => language).sort();
  const known = `${names.length > 0 ? names.join(', ') : 'none'} of ${tried} tried`;
  const seen = found.map(([, exchange]) => exchange);
  return { answer: `${known}${fallsBack ? '; an unknown one falls back' : ''}`, seen };
};

const reportCodes: Experiment['run'] = async (question) => {
  const { found } = await served(question);
  const used = found.length > 0 ? found : [['the fallback', await question.control()] as const];
  const seen = used.map(([, exchange]) => exchange);
  const lists = used
    .map(([language, exchange]) => ({ language, codes: codesIn(exchange) }))
    .filter(({ codes }) => codes !== '');
  const [first] = lists;
  if (!first)
    throw new Undecided(`the options don't contain ${KNOWN_REPORT_CODE}, so it is unclear which texts are codes`, seen);
  const isOne = lists.every(({ codes }) => codes === first.codes);
  return { answer: isOne ? first.codes : lists.map(({ language, codes }) => `${language}: ${codes}`).join('; '), seen };
};

/** The codes in a response, in words: the documented one first, the others by name, for their order there means nothing. */
function codesIn(exchange: Exchange): string {
  const codes = new ApiResponse(exchange, new Set()).alike(KNOWN_REPORT_CODE);
  const others = codes.filter((code) => code !== KNOWN_REPORT_CODE).sort();
  return [...(codes.length > 0 ? [KNOWN_REPORT_CODE] : []), ...others].join(', ');
}

/** A few languages are as informative as all of them. */
const MOST_LANGUAGES = 3;

const checkLanguages: Check = async (question, answer) => {
  const names = (answer.split(/ of \d/)[0] ?? '').split(', ').filter((name) => name !== 'none');
  let seen: Finding['seen'] = [];
  for (const language of names.slice(0, MOST_LANGUAGES)) {
    const found = await question.sendInvalid({ language });
    if (found.answer !== 'accepted') return { ...found, answer: `${language} is ${found.answer}` };
    seen = found.seen;
  }
  return { answer, seen };
};

/** Reads the codes of the environment's language, or of the first languages if codes differ by language. */
const checkCodes: Check = async (question, answer) => {
  const lists = answer.split('; ').map((text) => /^(?:(.+): )?(.*)$/.exec(text) ?? []);
  let seen: Exchange[] = [];
  for (const [, language, codes] of lists.slice(0, MOST_LANGUAGES)) {
    const exchange = language ? await question.send({ language }) : await question.withControl();
    if (!exchange) continue;
    seen = [exchange];
    const found = codesIn(exchange);
    if (found !== codes) return { answer: `${language ? `${language}: ` : ''}${found || 'none'}`, seen };
  }
  return { answer, seen };
};

const isOptions = among('reportOptions');

export const reportOptions: readonly Experiment[] = [
  oneQuestion('unknown-language', isOptions, unknownLanguage, 'once more'),
  oneQuestion('languages', isOptions, languages, checkLanguages),
  oneQuestion('report-codes', isOptions, reportCodes, checkCodes),
];
