import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach } from 'node:test';
import { parse } from 'dotenv';
import { type Asker, problemOf, type TextQuestion } from '../../cli/connect/guided/asker.ts';
import { newEnvironment } from '../../cli/connect/guided/new-environment.ts';
import { loadEnvironment } from '../../environment/index.ts';
import { operation, operationIds } from '../../service/index.ts';
import { ownFolder } from '../own-folder.ts';
import { Arrivals } from '../servers/arrivals.ts';
import { http, listening } from '../servers/listening.ts';
import { environmentText } from '../test-environment.ts';

export const folder = ownFolder();
export const environments = join(folder, 'environments');
Object.assign(process.env, {
  SEXTANT_ENVIRONMENTS: environments,
  SEXTANT_OBSERVED: join(folder, 'observed'),
});
beforeEach(() => {
  rmSync(environments, { recursive: true, force: true });
  mkdirSync(environments);
});

const arrivals = new Arrivals();

export { parse as answersFor };

export const at = (url: string) => environmentText(url);

/** Plays the guided start with prepared answers; resolves with its output, the environment that it wrote, and the requests that it sent. */
export async function played(script: Script, options: Parameters<typeof newEnvironment>[1] = {}) {
  const asker = scriptedAsker({ 'What now?': 'on', ...script });
  let code = -1;
  const all = await arrivals.during(async () => {
    code = await newEnvironment('mine', { asker, env: {}, ...options });
  });
  const environment = loadEnvironment('mine', { processEnvironment: {} });
  return { code, arrived: all, said: asker.said(), environment };
}

/** Checks that all requests are reading operations or HEAD requests. */
export function assertOnlyReads(arrived: Arrivals['all'], profile = 'GET /v1/profile/{userId}'): void {
  const reads = operationIds.map(operation).filter(({ effect }) => effect === 'read');
  const requests = [...reads.map(({ method, path }) => `${method} ${path}`), profile, 'HEAD /'];
  const known = requests.map((request) => new RegExp(`^${request.replace(/\{\w+\}/g, '[^/]+')}$`));
  const sent = arrived.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(
    sent.filter((each) => !known.some((pattern) => pattern.test(each))),
    [],
  );
}

export function answering(
  handle: (path: string) => { status: number; type?: string; body?: string; headers?: Record<string, string> },
) {
  const server = http.createServer((request, response) => {
    const { status, type = 'application/json', body = '', headers = {} } = handle(request.url ?? '');
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  });
  return listening(server);
}

/** Prepared answers by the text of the question: a text, a choice, or a function for a question that is asked several times. */
export type Script = Readonly<Record<string, string | ((times: number, choices: readonly string[]) => string)>>;

/** Simulates a person who gives prepared answers, and answers any other question with Enter: with the suggestion or the first choice. */
export function scriptedAsker(script: Script) {
  /** Everything that the person reads, in order: output and questions. */
  const heard: string[] = [];
  const times = new Map<string, number>();
  const answerTo = (message: string, choices: readonly string[] = []) => {
    times.set(message, (times.get(message) ?? 0) + 1);
    const answer = script[message];
    return typeof answer === 'function' ? answer(times.get(message) ?? 0, choices) : answer;
  };
  return {
    said: () => heard.join('\n'),
    say: (text: string) => void heard.push(text),
    text: async (question: TextQuestion) => {
      const answer = answerTo(question.message) ?? question.suggestion ?? '';
      const { problem } = problemOf(question, answer) ?? {};
      heard.push(`? ${question.message}`);
      if (problem) throw new Error(`${question.message} refuses the answer: ${problem}`);
      return answer;
    },
    choose: async <T extends string>(message: string, choices: readonly { value: T }[], suggestion?: T) => {
      const values = choices.map(({ value }) => value);
      heard.push(`? ${message} ${values.join('|')}`);
      const answer = answerTo(message, values) ?? suggestion ?? choices[0]?.value;
      const chosen = choices.find(({ value }) => value === answer);
      if (!chosen) throw new Error(`${message} has no choice ${answer}`);
      return chosen.value;
    },
  } satisfies Asker & { said(): string };
}
