import { type ApiResponse, inside } from '../../call/index.ts';
import { wordsOf } from '../../questions/index.ts';
import { needed } from '../data/data-values.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import { failed, probe } from '../specs/probe.ts';
import { Skipped } from '../specs/tags.ts';

/** The options of two languages must not say the same, unless they are codes alone. `check`: of those of a language that the team names. */
export async function optionsByLanguage(world: WorldBasis) {
  const { environment } = world;
  const own = needed(environment.data.reportLanguage, 'REPORT_LANGUAGE');
  const isOther = (language: string) => language !== own;
  const named = environment.data.reportLanguages.find(isOther);
  const other = named ?? surveyed(environment.facts?.of('languages', 'reportOptions')?.answer).find(isOther);
  if (!other) throw new Skipped('needs a second language: REPORT_LANGUAGES, or a survey that finds one');
  const call = await world.call();
  return probe(world, 'the options of two languages differ', async (check: (options: ApiResponse) => void) => {
    const of = (language: string) => call('reportOptions', { language }).succeeds();
    const ownWords = wordsOf(inside(await of(own)).exchange);
    const response = await of(other);
    if (named) check(response);
    const isFirst = ownWords !== wordsOf(inside(response).exchange);
    if (!isFirst && ownWords === '') {
      const otherwise = `the options of ${own} and ${other} are codes alone, so nothing shows their language`;
      return world.facts.holds(response, { question: 'options-by-language', answer: 'codes', otherwise });
    }
    const observed = `the options of ${other} are those of ${own}: ${JSON.stringify(ownWords.split('\n')[0])}`;
    if (!isFirst && named)
      throw failed(response, 'documented: the options are those of the language in the path', observed);
    const otherwise = isFirst ? undefined : `${observed}; REPORT_LANGUAGES=${other} says that it has its own`;
    world.facts.holds(response, { question: 'options-by-language', answer: isFirst ? 'own' : 'shared', otherwise });
  });
}

/** The languages in the words of a survey: `de, en of 16 tried`. */
function surveyed(answer = ''): string[] {
  const [, names = ''] = /^(.+) of \d+ tried/.exec(answer) ?? [];
  return names === 'none' ? [] : names.split(', ').filter(Boolean);
}
