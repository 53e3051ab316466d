import {
  type ApiResponse,
  type Claim,
  ExpectationError,
  inside,
  isPlainRefusal,
  judge,
  refusedAlike,
  Unproven,
} from '../../client/index.ts';
import { type OperationId, shownByOutcomesOf } from '../../spec/index.ts';
import { noteOutcome, recall, type Subject, wasEverAccepted } from '../data/memory.ts';
import { type CallByName, callByName, type WorldBasis } from '../data/world-basis.ts';
import { probe } from '../specs/probe.ts';
import { suspectsOf } from './circumstances.ts';

export interface Report {
  readonly storyId: string;
  readonly reports: readonly string[];
  readonly message: string;
}

const reporting = shownByOutcomesOf('reportCodes') as OperationId;

const claim: Claim = 'documented: the codes of a report come from the options, and a report may contain several';

/** All codes at once, or, where that is refused, each beside the first: how many fit is open. */
export async function reportEach(world: WorldBasis) {
  const call = await world.call();
  let isFirst = true;
  /** A user may report a story only once: each further report is a fresh user's, where there is a provisioner. */
  const reporter = async () => {
    if (!isFirst && world.environment.provisionUrl) return callByName(await world.freshSession());
    isFirst = false;
    return call;
  };
  return probe(world, 'report a story with each code of the options', async (report: Report) => {
    const send = async (reports: readonly string[]) =>
      (await reporter())(reporting, { ...report, reports }).isDecided(claim);
    const failure = (met: ApiResponse, and: string) => failureOf(world, met, report, and);
    const { readings } = world;
    const some = readings.of({ question: 'reportCodes' }) === 'some';
    const first = await send(some ? report.reports.slice(0, 2) : report.reports);
    // Whether a story can be reported twice is asked once, while it is certain that it can be reported at all.
    const isKnown = readings.known({ question: 'reportAgain' }) ?? recall(world.environment, againOf(report));
    if (!first.isRefusal && world.environment.provisionUrl === undefined && isKnown === undefined) {
      const again = await send(report.reports.slice(0, 1));
      noteOutcome(world.environment, againOf(report), again.isRefusal ? 'refused' : 'accepted', Date.now());
    }
    if (!first.isRefusal && !some) return;
    // The only documented code shows whether codes or reports are the problem.
    const known = first.isRefusal ? await send(report.reports.slice(0, 1)) : first;
    if (known.isRefusal) throw (await alreadyReported(world, known, report, call)) ?? failure(first, '');
    const accepted = first.isRefusal ? report.reports.slice(0, 1) : report.reports.slice(0, 2);
    const [only = '', ...others] = report.reports;
    let hasPair = false;
    for (const code of others) {
      const pair = await send([only, code]);
      hasPair ||= !pair.isRefusal;
      const alone = pair.isRefusal ? await send([code]) : pair;
      if (!alone.isRefusal) continue;
      if (!(await send(accepted)).isRefusal) throw failure(alone, ` for ${code} alone, which is one of the options`);
      readings.find({ question: 'reportAgain', reading: 'refused' });
      throw new Unproven(
        'all codes at once are refused, and a user can report a story only once, so the reason (one code, or their number) is unclear',
      );
    }
    if (!hasPair) throw failure(first, ' for several codes, and each alone is accepted');
    if (first.isRefusal && !(await send(report.reports)).isRefusal)
      throw failure(first, ', though the same is accepted the next time');
    readings.find({ question: 'reportCodes', reading: 'some' });
  });
}

function againOf({ storyId }: Report): Subject {
  return { operation: reporting, of: ['again', storyId] };
}

/** Why a rejected report may have been made before; `undefined` for fresh users, and where nothing speaks for it. */
async function alreadyReported(world: WorldBasis, refused: ApiResponse, report: Report, call: CallByName) {
  const { environment, readings } = world;
  const { exchange } = inside(refused);
  const { successWhen } = environment;
  const isKnown = readings.known({ question: 'reportAgain' })?.reading === 'refused';
  const wasAccepted = wasEverAccepted(environment, reporting, report);
  const isTakenAgain = recall(environment, againOf(report))?.accepted !== undefined;
  const mayBe = isKnown || wasAccepted || exchange.response?.status === 409;
  if (environment.provisionUrl || isTakenAgain || !mayBe || !isPlainRefusal(exchange, successWhen)) return undefined;
  const control = await call(reporting, { ...report, storyId: world.data.id() }).isDecided(claim);
  if (control.isRefusal && refusedAlike(inside(control).exchange, exchange)) return undefined;
  readings.find({ question: 'reportAgain', reading: 'refused' });
  return new Unproven(
    `the story was reported before, and the service rejects a second report: ${exchange.response?.status} for STORY_ID=${report.storyId}; PROVISION_URL provides a user who has not reported it`,
  );
}

function failureOf({ environment }: WorldBasis, refused: ApiResponse, report: Report, and: string): ExpectationError {
  const { exchange } = inside(refused);
  const shortfall = judge(exchange, 'success', environment.successWhen, claim);
  const suspects = and ? undefined : suspectsOf(environment, reporting, report);
  const verdict = shortfall?.verdict ?? 'failed';
  const observed = `${shortfall?.observed ?? ''}${and}${suspects ? ` ${suspects}` : ''}`;
  return new ExpectationError(exchange, { verdict, claim, observed });
}
