import { type Exchange, isSuccess, type SuccessRule } from '../../../client/index.ts';
import type { Found } from './found.ts';

/** Segments that return a short list completely, for any meaning of the two numbers. */
const CANDIDATES = ['0/100', '1/100', '100/0', '100/1', '0/50', '1/50', '50/1', '50/0'];

/** Segments that the service accepts, where it refuses `refused`. */
export async function segments(
  refused: string,
  read: (n1: string, n2: string) => Promise<Exchange>,
  rule?: SuccessRule,
): Promise<Found> {
  for (const pair of CANDIDATES.filter((each) => each !== refused)) {
    const [n1 = '', n2 = ''] = pair.split('/');
    const { operation, response } = await read(n1, n2);
    if (response && isSuccess(operation, response, rule))
      return {
        text: `The block list refuses ${refused}, and accepts ${pair}.`,
        sets: { key: 'BLOCK_LIST_SEGMENTS', value: pair },
      };
  }
  return { text: `The block list refuses ${refused}, and the other usual segments too: correct BLOCK_LIST_SEGMENTS.` };
}
