import { KNOWN_REPORT_CODE } from '../../../schemas/index.ts';
import { ApiResponse, type Exchange } from '../../client/index.ts';
import type { ExperimentRunner } from '../asking/experiment-runner.ts';
import { bodyOf, saysTheSame } from '../asking/reaction.ts';
import { Undecided } from '../facts/fact.ts';
import { type Check, cameOut, type Experiment, type Finding, oneQuestion, withControl } from './experiment.ts';

const id = 'reportOptions';

/** Languages that a service may support, common ones first. */
export const triedLanguages = 'en de fr es it pt nl pl sv ru tr ar hi ja ko zh'.split(' ');

/** An invented language; two letters, so that only its meaning is wrong. */
const INVENTED = 'qx';

const unknownLanguage: Experiment['run'] = async (runner) => {
  await withControl(runner, id);
  return cameOut(runner, id, await runner.send(id, { language: INVENTED }));
};

interface Served {
  readonly found: readonly (readonly [language: string, exchange: Exchange])[];
  /** Number of requested languages. */
  readonly tried: number;
  readonly fallsBack: boolean;
}

/**
 * Each supported language with its response. One with the same response as an invented one isn't supported, except the
 * environment's, which the team configured.
 */
async function served(runner: ExperimentRunner): Promise<Served> {
  await withControl(runner, id);
  const own = runner.environment.data.reportLanguage;
  const invented = await runner.send(id, { language: INVENTED });
  const fallsBack = runner.outcome(id, invented).kind !== 'refused';
  const again = fallsBack ? await runner.send(id, { language: INVENTED }) : invented;
  const found: [string, Exchange][] = [];
  const languages = new Set([...(own ? [own] : []), ...triedLanguages]);
  for (const language of languages) {
    const exchange = await runner.send(id, { language });
    const outcome = runner.outcome(id, exchange);
    if (outcome.kind === 'unclear') throw new Undecided(`${language}: ${outcome.why}`, [exchange]);
    const isFallback =
      fallsBack && saysTheSame(bodyOf(exchange), [bodyOf(invented), bodyOf(again)], { from: INVENTED, to: language });
    if (outcome.kind === 'accepted' && (!isFallback || language === own)) found.push([language, exchange]);
  }
  return { found, tried: languages.size, fallsBack };
}

const languages: Experiment['run'] = async (runner) => {
  const { found, tried, fallsBack } = await served(runner);
  const names = found.map(([language]) => language).sort();
  const known = `${names.length > 0 ? names.join(', ') : 'none'} of ${tried} tried`;
  return {
    answer: `${known}${fallsBack ? '; an unknown one falls back' : ''}`,
    seen: found.map(([, exchange]) => exchange),
  };
};

const reportCodes: Experiment['run'] = async (runner) => {
  const { found } = await served(runner);
  const used = found.length > 0 ? found : [['the fallback', await runner.control(id)] as const];
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
  const inOrder = codes.toSorted(
    (a, b) => Number(b === KNOWN_REPORT_CODE) - Number(a === KNOWN_REPORT_CODE) || (a < b ? -1 : 1),
  );
  return inOrder.join(', ');
}

/** A few languages are as informative as all of them. */
const MOST_LANGUAGES = 3;

/** Requests the first supported languages. */
const checkLanguages: Check = async (runner, _, { answer }) => {
  const names = (answer.split(/ of \d/)[0] ?? '').split(', ').filter((name) => name !== 'none');
  let last: Finding | undefined;
  for (const language of names.slice(0, MOST_LANGUAGES)) {
    last = cameOut(runner, id, await runner.send(id, { language }));
    if (last.answer !== 'accepted') return { ...last, answer: `${language} is ${last.answer}` };
  }
  return { answer, seen: last?.seen ?? [] };
};

/** Reads the codes of the environment's language, or of the first languages if codes differ by language. */
const checkCodes: Check = async (runner, _, { answer }) => {
  const lists = answer.split('; ').map((text) => /^(?:(.+): )?(.*)$/.exec(text) ?? []);
  let seen: Finding['seen'] = [];
  for (const [, language, codes] of lists.slice(0, MOST_LANGUAGES)) {
    const exchange = language ? await runner.send(id, { language }) : await withControl(runner, id);
    if (!exchange) continue;
    seen = [exchange];
    const found = codesIn(exchange);
    if (found !== codes) return { answer: `${language ? `${language}: ` : ''}${found || 'none'}`, seen };
  }
  return { answer, seen };
};

export const reportOptions: readonly Experiment[] = [
  oneQuestion('unknown-language', [id], unknownLanguage, 'once more'),
  oneQuestion('languages', [id], languages, checkLanguages),
  oneQuestion('report-codes', [id], reportCodes, checkCodes),
];
