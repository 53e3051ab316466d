import { cameOut, withControl } from '../experiments/experiment.ts';
import { codesIn } from '../experiments/report-options.ts';
import type { Finding } from '../facts/fact.ts';
import type { Probe } from './probe.ts';

/** A few languages are as informative as all of them. */
const MOST_LANGUAGES = 3;

/** Requests the first supported languages. */
export const languages: Probe = async (runner, { id }, { answer }) => {
  const names = (answer.split(/ of \d/)[0] ?? '').split(', ').filter((name) => name !== 'none');
  let last: Finding | undefined;
  for (const language of names.slice(0, MOST_LANGUAGES)) {
    last = cameOut(runner, id, await runner.send(id, { language }));
    if (last.answer !== 'accepted') return { ...last, answer: `${language} is ${last.answer}` };
  }
  return { answer, seen: last?.seen ?? [] };
};

/** Reads the codes of the environment's language, or of the first languages if codes differ by language. */
export const reportCodes: Probe = async (runner, { id }, { answer }) => {
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
