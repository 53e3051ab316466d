import { type ApiResponse, inside, leaves, Unproven } from '../../client/index.ts';
import { operationsWith } from '../../spec/index.ts';
import type { WorldWithData } from '../data/data-values.ts';
import { failed, probe } from '../specs/probe.ts';
import { Skipped } from '../specs/tags.ts';
import { asBefore } from './as-before.ts';

/** The options of two languages must not say the same, unless they are codes alone. `check`: of those of a language that the team names. */
export async function optionsByLanguage(world: WorldWithData) {
  const [{ id }] = operationsWith('isByLanguage') as [ReturnType<typeof operationsWith<'isByLanguage'>>[number]];
  const { environment } = world;
  const own = await world.value('language');
  const isOther = (language: string) => language !== own;
  const named = environment.data.reportLanguages.find(isOther);
  const other = named ?? surveyed(environment.facts?.of('languages', id)?.answer).find(isOther);
  if (!other) throw new Skipped('needs a second language: REPORT_LANGUAGES, or a survey that finds one');
  const call = await world.call();
  return probe(world, 'the options of two languages differ', async (check: (options: ApiResponse) => void) => {
    const of = (language: string) => call(id, { language }).succeeds();
    const ownWords = wordsOf(await of(own));
    const response = await of(other);
    if (named) check(response);
    const isFirst = ownWords.join('\n') !== wordsOf(response).join('\n');
    if (!isFirst && ownWords.length === 0)
      throw new Unproven(`the options of ${own} and ${other} are codes alone, so nothing shows their language`);
    const observed = `the options of ${other} are those of ${own}: ${JSON.stringify(ownWords[0])}`;
    if (!isFirst && named)
      throw failed(response, 'documented: the options are those of the language in the path', observed);
    const words = [`other than in ${own}`, `as in ${own}`] as const;
    const otherwise = `${observed}; REPORT_LANGUAGES=${other} says that it has its own`;
    asBefore(world).holds(response, { what: `the options in ${other}`, isFirst, words, otherwise });
  });
}

/** The languages in the words of a survey: `de, en of 16 tried`. */
function surveyed(answer = ''): string[] {
  const [, names = ''] = /^(.+) of \d+ tried/.exec(answer) ?? [];
  return names === 'none' ? [] : names.split(', ').filter(Boolean);
}

/** Texts for people: codes, ids and addresses are the same in every language. */
function wordsOf(response: ApiResponse): string[] {
  const texts = [...leaves(inside(response).json)].filter(({ isKey }) => !isKey).map(({ text }) => text);
  return texts.filter((text) => /\p{L}{3}/u.test(text) && !/^[A-Z0-9_]+$|\d|[/_]/.test(text)).sort();
}
