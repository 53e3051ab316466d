import {
  type ApiResponse,
  type Claim,
  ExpectationError,
  type Grade,
  inside,
  judge,
  leaves,
} from '../../client/index.ts';
import { type OperationId, shownByOutcomesOf } from '../../spec/index.ts';
import { callByName } from '../data/call-by-name.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import { probe } from '../specs/probe.ts';

export interface Evaluation {
  readonly key: string;
  readonly default: string;
  readonly contextData: Readonly<Record<string, string>>;
}

const evaluating = shownByOutcomesOf('flagDefault') as OperationId;

/** Defaults that mean yes and no, the commonest first. */
export const switchPairs = [
  ['true', 'false'],
  ['on', 'off'],
  ['1', '0'],
  ['yes', 'no'],
] as const;

/** Words for yes and no. */
export const SWITCH = /^(true|false|on|off|1|0|yes|no|(en|dis)abled|(in)?active)$/i;

/**
 * Evaluates an undefined key, which must return its default. A service may return the default itself, or a
 * flag that is on or off as the default says.
 */
export async function flagFallback(world: WorldBasis) {
  const call = callByName(await world.session());
  return probe(world, 'evaluate feature falls back to the default', async (asked: Evaluation) => {
    const send = (fallback: string) =>
      call(evaluating, { ...asked, default: fallback }).isDecided(claimOf('documented'));
    const { readings } = world;
    const known = readings.known({ question: 'flagDefault', operation: evaluating });
    const response = await send(asked.default);
    const refused = judge(inside(response).exchange, 'success', world.environment.successWhen);
    if (!refused && inside(response).mentions(asked.default)) return;
    if (refused?.verdict !== 'refused' && known?.reading !== 'returned') {
      for (const pair of switchPairs) {
        const [yes, no] = [await send(pair[0]), await send(pair[1])];
        if (!follows(yes, no, response)) continue;
        readings.find({ question: 'flagDefault', reading: 'decides' });
        return;
      }
    }
    const claim = claimOf(known?.reading === 'returned' ? 'learned' : 'documented');
    const { verdict, observed } = refused ?? { verdict: 'failed', observed: absent(response, asked.default, !known) };
    throw new ExpectationError(inside(response).exchange, { verdict, claim, observed });
  });
}

function absent(response: ApiResponse, fallback: string, wasTried: boolean): string {
  const { entries } = inside(response);
  const where = entries === undefined ? 'the response' : `${entries} entries`;
  return `${JSON.stringify(fallback)} not found in ${where}${wasTried ? ', and it does not follow a yes/no default' : ''}`;
}

function claimOf(grade: Grade): Claim {
  return `${grade}: an undefined key returns the default of the call`;
}

/** Whether a switch in the response stands as the default says, and is a switch for a default of text too. */
function follows(yes: ApiResponse, no: ApiResponse, text: ApiResponse): boolean {
  if (yes.isRefusal || no.isRefusal) return false;
  const [on, off, other] = [yes, no, text].map(switches) as [Switches, Switches, Switches];
  return [...on].some(([place, value]) => {
    const opposite = off.get(place);
    const isSwitch = text.isRefusal || SWITCH.test(other.get(place) ?? '');
    return opposite !== undefined && value !== opposite && isSwitch && SWITCH.test(value) && SWITCH.test(opposite);
  });
}

type Switches = ReadonlyMap<string, string>;

/** The values of a response by their places. */
export function switches(response: ApiResponse): Switches {
  const found = [...leaves(inside(response).json)].filter(({ isKey }) => !isKey);
  return new Map(found.map(({ path, text }) => [path.join('/'), text]));
}
