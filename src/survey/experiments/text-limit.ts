import type { Exchange } from '../../client/index.ts';
import { largestAccepted } from '../bisect.ts';
import { Undecided } from '../fact.ts';
import { requestFields } from '../request-fields.ts';
import { type Experiment, subjectOf, withControl } from './experiment.ts';

/** Longer texts are nobody's message; how large a whole body may be is another question. */
const CAP = 10_000;

export const textLimit: Experiment = {
  questions: (entry) =>
    requestFields(entry)
      .filter(({ isFreeText }) => isFreeText)
      .map(({ name }) => `text-limit:${name}`),
  run: async (runner, { id }, question) => {
    const field = subjectOf(question);
    await withControl(runner, id);
    const seen: Exchange[] = [];
    let status = 0;
    const valid = (await runner.valid(id)) as Record<string, unknown>;
    const start = String(valid[field]);
    const isAccepted = async (length: number) => {
      const body = { ...((await runner.valid(id)) as object), [field]: start.padEnd(length, 'a').slice(0, length) };
      const exchange = await runner.send(id, body);
      const outcome = runner.outcome(id, exchange);
      if (outcome.kind === 'unclear') throw new Undecided(`${length} characters: ${outcome.why}`, [exchange]);
      if (outcome.kind === 'refused') status = outcome.status;
      seen.push(exchange);
      return outcome.kind === 'accepted';
    };
    if (!(await isAccepted(start.length)))
      throw new Undecided(`${start.length} characters were refused with ${status}`, seen);
    const limit = await largestAccepted(start.length, CAP, isAccepted);
    const answer = limit === undefined ? `none up to ${CAP} characters` : `${limit} characters, else ${status}`;
    return { answer, seen };
  },
};
