import { isDeepStrictEqual } from 'node:util';
import { KNOWN_REPORT_CODE } from '../../../schemas/index.ts';
import { ApiResponse, type Exchange } from '../../client/index.ts';
import type { ExperimentRunner } from '../experiment-runner.ts';
import { Undecided } from '../fact.ts';
import { triedLanguages } from '../varied-arguments.ts';
import { cameOut, type Experiment, oneQuestion, withControl } from './experiment.ts';

const id = 'reportOptions';

/** A language that nobody speaks; two letters, so that only its meaning is wrong. */
const INVENTED = 'qx';

const unknownLanguage: Experiment['run'] = async (runner) => {
  await withControl(runner, id);
  return cameOut(runner, id, await runner.send(id, { language: INVENTED }));
};

/** Each tried language that is served, with its answer; one that gets what an invented one gets is not. */
async function served(
  runner: ExperimentRunner,
): Promise<{ found: [language: string, exchange: Exchange][]; fallsBack: boolean }> {
  await withControl(runner, id);
  const invented = await runner.send(id, { language: INVENTED });
  const fallsBack = runner.outcome(id, invented).kind !== 'refused';
  const known = new Set([...(runner.environment.data.reportLanguage ? [runner.environment.data.reportLanguage] : [])]);
  const found: [string, Exchange][] = [];
  for (const language of new Set([...known, ...triedLanguages])) {
    const exchange = await runner.send(id, { language });
    const outcome = runner.outcome(id, exchange);
    if (outcome.kind === 'unclear') throw new Undecided(`${language}: ${outcome.why}`, [exchange]);
    const isFallback = fallsBack && isDeepStrictEqual(bodyOf(exchange), bodyOf(invented));
    if (outcome.kind === 'accepted' && !isFallback) found.push([language, exchange]);
  }
  return { found, fallsBack };
}

const languages: Experiment['run'] = async (runner) => {
  const { found, fallsBack } = await served(runner);
  if (found.length === 0) throw new Undecided(`${triedLanguages.join(', ')} all get what an invented language gets`);
  const names = found.map(([language]) => language).sort();
  const answer = `${names.join(', ')}${fallsBack ? '; any other gets the same fallback' : ''}`;
  return { answer, seen: found.map(([, exchange]) => exchange) };
};

const reportCodes: Experiment['run'] = async (runner) => {
  const { found } = await served(runner);
  const used = found.length > 0 ? found : [['the fallback', await runner.control(id)] as [string, Exchange]];
  const codes = used.map(([language, exchange]) => ({
    language,
    codes: new ApiResponse(exchange, new Set()).alike(KNOWN_REPORT_CODE),
  }));
  const seen = used.map(([, exchange]) => exchange);
  if (codes.some(({ codes: list }) => list.length === 0))
    throw new Undecided(`the options don't hold ${KNOWN_REPORT_CODE}, so nothing tells which texts are codes`, seen);
  const lists = codes.map((entry) => ({ ...entry, text: inOrder(entry.codes).join(', ') }));
  const isOne = new Set(codes.map((entry) => [...entry.codes].sort().join())).size === 1;
  const answer = isOne ? lists[0]?.text : lists.map(({ language, text }) => `${language}: ${text}`).join('; ');
  return { answer: answer ?? '', seen };
};

/** The documented code first, the others by name: an answer's order says nothing. */
function inOrder(codes: readonly string[]): string[] {
  return [...codes].sort(
    (a, b) => Number(b === KNOWN_REPORT_CODE) - Number(a === KNOWN_REPORT_CODE) || (a < b ? -1 : 1),
  );
}

function bodyOf({ response }: Exchange): unknown {
  return response?.body.json.ok ? response.body.json.value : response?.body.text;
}

export const reportOptions: readonly Experiment[] = [
  oneQuestion('unknown-language', [id], unknownLanguage),
  oneQuestion('languages', [id], languages),
  oneQuestion('report-codes', [id], reportCodes),
];
