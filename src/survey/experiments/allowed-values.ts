import type { Exchange } from '../../client/index.ts';
import type { CallableId } from '../../spec/index.ts';
import type { ExperimentRunner } from '../asking/experiment-runner.ts';
import { Undecided } from '../facts/fact.ts';
import { type Experiment, subjectOf, withControl } from './experiment.ts';

type Body = Record<string, unknown> & { readonly items?: readonly object[] };

interface Tried {
  readonly operations: readonly CallableId[];
  readonly values: readonly (string | number)[];
  readonly put: (body: Body, value: string | number) => Body;
}

const codes = [-1, 0, 1, 2, 3, 9, 100];
const profileOperations = ['updateProfile', 'getFriendProfile'] as const;

/** The fields whose values the specification leaves open (part 2). */
const fields: Readonly<Record<string, Tried>> = {
  gender: { operations: profileOperations, values: codes, put: (body, gender) => ({ ...body, gender }) },
  status: {
    operations: profileOperations,
    values: ['', 'online', 'away', 'sextant-invented'],
    put: (body, status) => ({ ...body, status }),
  },
  'items.type': {
    operations: ['saveAvatar'],
    values: codes,
    put: (body, type) => ({ ...body, items: (body.items ?? []).map((item) => ({ ...item, type })) }),
  },
};

export const allowedValues: Experiment = {
  questions: ({ id }) =>
    Object.keys(fields)
      .filter((field) => fields[field]?.operations.includes(id))
      .map((field) => `allowed-values:${field}`),
  run: async (runner, { id }, question) => {
    const { values } = fields[subjectOf(question)] as Tried;
    await withControl(runner, id);
    const seen: Exchange[] = [];
    const [accepted, refused]: (string | number)[][] = [[], []];
    for (const value of values) {
      const exchange = await sendValue(runner, id, subjectOf(question), value);
      const outcome = runner.outcome(id, exchange);
      seen.push(exchange);
      if (outcome.kind === 'unclear') throw new Undecided(`${JSON.stringify(value)}: ${outcome.why}`, [exchange]);
      (outcome.kind === 'accepted' ? accepted : refused)?.push(value);
    }
    return { answer: words(accepted ?? [], refused ?? []), seen };
  },
};

/** A valid request with another value for one of these fields. */
export async function sendValue(
  runner: ExperimentRunner,
  id: CallableId,
  field: string,
  value: string | number,
): Promise<Exchange> {
  const { put } = fields[field] as Tried;
  return runner.send(id, put((await runner.valid(id)) as Body, value));
}

function words(accepted: readonly unknown[], refused: readonly unknown[]): string {
  const list = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(', ');
  if (refused.length === 0) return `all that were tried: ${list(accepted)}`;
  return `${accepted.length > 0 ? list(accepted) : 'none that was tried'}; not ${list(refused)}`;
}
