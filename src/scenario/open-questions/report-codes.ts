import { type ApiResponse, inside } from '../../call/index.ts';
import { type Claim, DoneBefore, ExpectationError, outcomeOf, refusedAlike, Unproven } from '../../verdict/index.ts';
import { type CallByName, callByName, type WorldBasis } from '../data/world-basis.ts';
import { probe } from '../specs/probe.ts';
import { suspectsOf } from './circumstances.ts';

export interface Report {
  readonly storyId: string;
  readonly reports: readonly string[];
  readonly message: string;
}

const reporting = 'report';

const claim: Claim = 'documented: the codes of a report come from the options, and a report may contain several';

/** Sends all codes at once, and after a refusal each alone: the number of codes that fit into one report is open. */
export async function reportEach(world: WorldBasis) {
  const call = await world.call();
  const { facts } = world;
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
    const [only = '', ...others] = report.reports;
    const known = facts.fact('codes-at-once', reporting)?.answer;
    const first = await send(known === 'some' ? report.reports.slice(0, 2) : report.reports);
    const [, , ...further] = known === 'some' && world.environment.provisionUrl ? report.reports : [];
    let hasRefused = first.isRefusal;
    for (const code of hasRefused ? [] : further) hasRefused ||= (await send([only, code])).isRefusal;
    if (!hasRefused) return;
    // The only documented code shows whether codes or reports are the problem.
    const alone = await send([only]);
    if (alone.isRefusal) throw (await alreadyReported(world, alone, report, call)) ?? failure(first, '');
    for (const code of others) {
      const other = await send([code]);
      if (!other.isRefusal) continue;
      // With the code that was accepted before, it is known whose fault that is.
      if (!(await send([only])).isRefusal) throw failure(other, ` for ${code} alone, which is one of the options`);
      throw new Unproven(
        'all codes at once are refused, and a user can report a story only once, so the reason (one code, or their number) is unclear; PROVISION_URL provides users who have not',
      );
    }
    if (known !== undefined) throw failure(first, ' for several codes, and each alone is accepted');
    const pair = await send([only, ...others.slice(0, 1)]);
    if (pair.isRefusal) throw failure(pair, ' for two codes, and each alone is accepted');
    if (!(await send(report.reports)).isRefusal) throw failure(first, ', though the same is accepted the next time');
    throw new Unproven(
      `all codes at once are refused, and two of them are not; \`${facts.surveyCommand('codes-at-once', reporting)}\` finds out how many one report may hold`,
    );
  });
}

/** Why a rejected report may have been made before; `undefined` for fresh users, and where nothing speaks for it. */
async function alreadyReported(world: WorldBasis, refused: ApiResponse, report: Report, call: CallByName) {
  const { environment, facts } = world;
  const { exchange } = inside(refused);
  const isTakenAgain = facts.answer('repeat', reporting) === 'accepted';
  if (environment.provisionUrl || isTakenAgain || !outcomeOf(exchange, environment.successWhen).isPlainRefusal)
    return undefined;
  const control = await call(reporting, { ...report, storyId: world.data.id() }).isDecided(claim);
  if (control.isRefusal && refusedAlike(inside(control).exchange, exchange)) return undefined;
  const why = `the story may have been reported before: ${exchange.response?.status} for STORY_ID=${report.storyId}; PROVISION_URL provides a user who has not reported it`;
  return new DoneBefore(why, why, exchange);
}

function failureOf({ environment }: WorldBasis, refused: ApiResponse, report: Report, and: string): ExpectationError {
  const { exchange } = inside(refused);
  const shortfall = outcomeOf(exchange, environment.successWhen).shortfall('success', claim);
  const suspects = and ? undefined : suspectsOf(environment, report);
  const verdict = shortfall?.verdict ?? 'failed';
  const observed = `${shortfall?.observed ?? ''}${and}${suspects ? ` ${suspects}` : ''}`;
  return new ExpectationError(exchange, { verdict, claim, observed });
}
