import { type ApiResponse, inside } from '../../call/index.ts';
import { languagesIn, optionsSay, wordsOf } from '../../questions/index.ts';
import type { WorldWithData } from '../data/data-values.ts';
import { failed, probe } from '../specs/probe.ts';
import { Skipped } from '../specs/tags.ts';

export interface Options {
  readonly language: string;
}

/** A second language with options: one that the team names, or that a survey found. */
export async function anotherLanguage(world: WorldWithData) {
  const { data, facts } = world.environment;
  const own = await world.value('language');
  const isOther = (language: string) => language !== own;
  const named = data.reportLanguages.find(isOther);
  const code = named ?? languagesIn(facts?.of('languages', 'reportOptions')?.answer).find(isOther);
  if (!code) throw new Skipped('needs a second language: REPORT_LANGUAGES, or a survey that finds one');
  return { code, isNamed: named !== undefined };
}

/** The options of two languages have their own words: those of a language that the team names must, others as the fact says. */
export function haveOwnWords(world: WorldWithData) {
  const title = 'the options of two languages differ';
  return probe(world, title, async (own: ApiResponse<Options>, other: ApiResponse<Options>) => {
    const [language, another] = [own.sent.language, other.sent.language];
    const answer = optionsSay([own, other].map((response) => inside(response).exchange));
    const [words] = wordsOf(inside(own).exchange).split('\n');
    const observed = `the options of ${another} are those of ${language}: ${JSON.stringify(words)}`;
    if (answer === 'shared' && world.environment.data.reportLanguages.includes(another))
      throw failed(other, 'documented: the options are those of the language in the path', observed);
    const otherwise = {
      own: undefined,
      shared: `${observed}; REPORT_LANGUAGES=${another} says that it has its own`,
      codes: `the options of ${language} and ${another} are codes alone, so nothing shows their language`,
    };
    world.facts.holds(other, { question: 'options-by-language', answer, otherwise: otherwise[answer] });
  });
}
