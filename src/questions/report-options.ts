import { KNOWN_REPORT_CODE } from '../../schemas/index.ts';
import { ApiResponse } from '../call/index.ts';
import { type Exchange, leaves } from '../http/index.ts';
import { type Answer, type Asker, NotAccepted, Undecided } from './asker/asker.ts';
import { bodyOf, saysTheSame } from './asker/reaction.ts';
import { among, type Hold, meanings, once, outcomes, type Question, requestWords } from './question.ts';

/** Languages that a service may support, common ones first. */
export const triedLanguages = 'en de fr es it pt nl pl sv ru tr ar hi ja ko zh'.split(' ');

/** An invented language code. It has two letters, so that only its meaning is wrong. */
const INVENTED = 'qx';

const unknownLanguage: Question['ask'] = async (asker) => {
  await asker.withControl();
  return asker.sendInvalid({ language: INVENTED });
};

const served = (asker: Asker) => asker.requests.remembered('languages', () => askAllLanguages(asker));

/**
 * Finds the supported languages, with the response of each. A language with the same response as an invented one isn't supported, unless it
 * is the language of the environment, which the team has configured. `tried` is the number of languages that were requested.
 */
async function askAllLanguages(asker: Asker) {
  await asker.withControl();
  const ownLanguage = asker.requests.environment.data.reportLanguage;
  const invented = await asker.send({ language: INVENTED });
  const fallsBack = asker.outcome(invented).kind !== 'refused';
  const again = fallsBack ? await asker.send({ language: INVENTED }) : invented;
  const found: (readonly [language: string, exchange: Exchange])[] = [];
  const languages = new Set([...(ownLanguage ? [ownLanguage] : []), ...triedLanguages]);
  for (const language of languages) {
    const exchange = await asker.send({ language });
    const { kind } = asker.clearly(exchange, language);
    const isFallback =
      fallsBack && saysTheSame(bodyOf(exchange), [bodyOf(invented), bodyOf(again)], { from: INVENTED, to: language });
    if (kind === 'accepted' && (!isFallback || language === ownLanguage)) found.push([language, exchange]);
  }
  return { found, tried: languages.size, fallsBack };
}

const languages: Question['ask'] = async (asker) => {
  const { found, tried, fallsBack } = await served(asker);
  const names = found.map(([language]) => language).sort();
  const known = `${names.length > 0 ? names.join(', ') : 'none'} of ${tried} tried`;
  const seen = found.map(([, exchange]) => exchange);
  return { answer: `${known}${fallsBack ? '; an unknown one falls back' : ''}`, seen };
};

const reportCodes: Question['ask'] = async (asker) => {
  const { found } = await served(asker);
  const used = found.length > 0 ? found : [['the fallback', await asker.control()] as const];
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

/** The codes in a response, in words: the documented one first, the others by name, because their order in the response means nothing. */
function codesIn(exchange: Exchange): string {
  const codes = new ApiResponse(exchange, new Set()).alike(KNOWN_REPORT_CODE);
  const others = codes.filter((code) => code !== KNOWN_REPORT_CODE).sort();
  return [...(codes.length > 0 ? [KNOWN_REPORT_CODE] : []), ...others].join(', ');
}

/** The maximum number of languages to compare, because a few show as much as all. */
const MOST_LANGUAGES = 3;

/** The languages in an answer such as `de, en of 16 tried`. */
export function languagesIn(answer = ''): string[] {
  const names = answer.split(/ of \d/)[0] ?? '';
  return names.split(', ').filter((name) => name !== 'none' && name !== '');
}

const holdLanguages: Hold = async (asker, answer) => {
  let seen: Answer['seen'] = [];
  for (const language of languagesIn(answer).slice(0, MOST_LANGUAGES)) {
    const found = await asker.sendInvalid({ language });
    // If the service refuses the credential, the response says nothing about the language.
    if (/ 40[13]$/.test(found.answer)) throw new NotAccepted(`${language} is ${found.answer}`, found.seen);
    if (found.answer !== 'accepted') return { ...found, answer: `${language} is ${found.answer}` };
    seen = found.seen;
  }
  return { answer, seen };
};

/**
 * Reads the report options in a language. @throws NotAccepted if the service refuses, Undecided if the response is unclear, such as a login
 * page.
 */
async function optionsIn(asker: Asker, language: string): Promise<Exchange> {
  const exchange = await asker.send({ language });
  const found = asker.clearly(exchange, language);
  if (found.kind === 'accepted') return exchange;
  throw new NotAccepted(`${language} is refused with ${found.status}`, [exchange]);
}

/** Checks the codes of the environment's language, or those of the first few languages if the codes differ by language. */
const holdCodes: Hold = async (asker, answer) => {
  const lists = answer.split('; ').map((text) => /^(?:(.+): )?(.*)$/.exec(text) ?? []);
  let seen: Exchange[] = [];
  for (const [, language, codes] of lists.slice(0, MOST_LANGUAGES)) {
    const exchange = language ? await optionsIn(asker, language) : await asker.withControl();
    if (!exchange) continue;
    seen = [exchange];
    const found = codesIn(exchange);
    if (found !== codes) return { answer: `${language ? `${language}: ` : ''}${found || 'none'}`, seen };
  }
  return { answer, seen };
};

/** Whether the texts of the report options differ by language. Codes are not compared, because they are the same in every language. */
const optionsDiffer: Question = {
  id: 'options-by-language',
  of: once('options-by-language', among('reportOptions')),
  openIn: 'part 4, rule 2: which languages have options of their own is not shown',
  answers:
    'own: every language has its own words; shared: two languages say the same; codes: the options have no words',
  form: /^(own|shared|codes)$/,
  broken: meanings({
    own: ['has words of its own in each language', 'it had words of its own in each'],
    shared: ['says the same in two languages', 'it said the same'],
    codes: ['now has only codes, and no words', 'it had only codes'],
  }),
  experiment: 'the options of the first languages, compared',
  ask: async (asker) => {
    const { found } = await served(asker);
    return wordsDiffer(found.slice(0, MOST_LANGUAGES).map(([, exchange]) => exchange));
  },
  hold: async (asker) => {
    // In a language that it doesn't support, a service may return the report options of another language. So only the languages that a fact
    // lists are compared.
    const languages = asker.requests.environment.facts?.of('languages', asker.id)?.answer;
    const found: Exchange[] = [];
    for (const language of languagesIn(languages).slice(0, 2)) found.push(await optionsIn(asker, language));
    return wordsDiffer(found);
  },
};

/**
 * Whether the texts of the report options differ between all these responses, one for each language. Responses without texts are left out.
 */
export function wordsDiffer(seen: readonly Exchange[]): Answer & { readonly answer: 'own' | 'shared' | 'codes' } {
  if (seen.length < 2) throw new Undecided('needs two languages with options: REPORT_LANGUAGES', seen);
  const words = seen.map(wordsOf).filter((text) => text !== '');
  if (words.length === 0) return { answer: 'codes', seen };
  return { answer: new Set(words).size === words.length ? 'own' : 'shared', seen };
}

/** The texts for people, without codes, ids and addresses, which are the same in every language. */
export function wordsOf(exchange: Exchange): string {
  const texts = [...leaves(bodyOf(exchange))].filter(({ isKey }) => !isKey).map(({ text }) => text);
  return texts
    .filter((text) => /\p{L}{3}/u.test(text) && !/^[A-Z0-9_]+$|\d|[/_]/.test(text))
    .sort()
    .join('\n');
}

const isOptions = among('reportOptions');

export const reportOptions: readonly Question[] = [
  {
    id: 'unknown-language',
    of: once('unknown-language', isOptions),
    openIn: 'part 7: errors are not shown',
    ...outcomes,
    broken: requestWords(() => 'an invented language'),
    experiment: 'a request in the language of the environment, and one in an invented language',
    ask: unknownLanguage,
    hold: 'again',
  },
  {
    id: 'languages',
    of: once('languages', isOptions),
    openIn: 'part 4, rule 2: the languages are not listed',
    answers: 'the languages that have options of their own, and how many were tried; whether an unknown one falls back',
    form: /^[\w-]+(, [\w-]+)* of \d+ tried(; an unknown one falls back)?$/,
    broken: ({ now }) => {
      const [, language, how = now] = /^(\S+) is refused(.*)$/.exec(now) ?? [];
      return [`refuses the language ${language}${how}`, 'it accepted it'];
    },
    experiment: 'common languages, and an invented one',
    ask: languages,
    hold: holdLanguages,
  },
  {
    id: 'report-codes',
    of: once('report-codes', isOptions),
    openIn: 'part 2: the full set of allowed report codes is not shown',
    answers: 'the codes, the documented one first; by language where they differ',
    form: /^([\w-]+: )?\w+/,
    broken: ({ was, now }) => {
      const [before, after] = [was, now].map((answer) => new Set(answer.match(/\w+(?=,|;|$)/g)));
      const lost = [...(before?.difference(after ?? new Set()) ?? [])];
      const added = [...(after?.difference(before ?? new Set()) ?? [])];
      return lost.length > 0
        ? [`no longer lists ${lost.join(', ')}`, 'it did']
        : [`lists ${added.join(', ') || 'its codes differently'}`, 'it did not'];
    },
    experiment: 'the options of each language; codes are what looks like the documented one',
    ask: reportCodes,
    hold: holdCodes,
  },
  optionsDiffer,
];
