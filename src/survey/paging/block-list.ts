import { ApiResponse, type Exchange, type Session } from '../../client/index.ts';
import type { ExperimentRunner } from '../experiment-runner.ts';
import { Undecided } from '../fact.ts';
import { waitUntil } from '../wait-until.ts';

export type ListId = 'listBlocked' | 'listBlockers';

/** Between two entries, so that a list ordered by a clock of milliseconds shows which came first. */
const BETWEEN_MS = 5;

/** Segments under which a short list should come whole, whatever the two numbers mean. */
const generous = ['0/100', '1/100', '100/0', '100/1', '0/50', '1/50', '50/1', '50/0'];

/** One of the two lists, with entries that the survey makes: their keys, in the order in which they were made. */
export class BlockList {
  readonly runner: ExperimentRunner;
  readonly id: ListId;
  readonly made: string[] = [];
  #blockers: Session[] | undefined;

  constructor(runner: ExperimentRunner, id: ListId) {
    this.runner = runner;
    this.id = id;
  }

  /** Adds entries, by blocking invented friends, or by being blocked by fresh users. */
  async add(count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      if (this.made.length > 0) await this.runner.budget.pause(BETWEEN_MS);
      this.made.push(this.id === 'listBlocked' ? await this.#blockOne() : await this.#beBlocked());
    }
  }

  async read(n1: number | string, n2: number | string): Promise<Exchange> {
    return this.runner.send(this.id, { n1: String(n1), n2: String(n2) });
  }

  /** Segments under which the answer mentions all of `keys`, once it does. @throws Undecided when none does. */
  async segmentsShowing(keys: readonly string[]): Promise<{ n1: string; n2: string; reads: number; waitedMs: number }> {
    const { n1, n2 } = this.runner.environment.blockListSegments;
    const candidates = [...new Set([`${n1}/${n2}`, ...generous])].map((pair) => pair.split('/') as [string, string]);
    let shown: [string, string] | undefined;
    let reads = 0;
    const read = async () => {
      reads++;
      let last: Exchange | undefined;
      for (const pair of candidates) {
        last = await this.read(...pair);
        if (this.#mentionsAll(last, keys)) {
          shown = pair;
          break;
        }
      }
      return last as Exchange;
    };
    const { last, waitedMs } = await waitUntil(this.runner, read, () => shown !== undefined);
    if (!shown)
      throw new Undecided(`${keys.length} new entries never showed under ${candidates.map(String).join(' ')}`, [last]);
    return { n1: shown[0], n2: shown[1], reads, waitedMs };
  }

  #mentionsAll(exchange: Exchange, keys: readonly string[]): boolean {
    const answer = new ApiResponse(exchange, new Set());
    return keys.every((key) => answer.mentions(key));
  }

  async #blockOne(): Promise<string> {
    const friendId = this.runner.world.data.id();
    const exchange = await this.runner.send('block', { friendId });
    if (this.runner.outcome('block', exchange).kind === 'accepted') return friendId;
    throw new Undecided('an invented friend could not be blocked', [exchange]);
  }

  async #beBlocked(): Promise<string> {
    const [blocker] = this.#blockers?.splice(0, 1) ?? [];
    if (!blocker) {
      this.#blockers = await this.#moreBlockers();
      return this.#beBlocked();
    }
    const exchange = await this.runner.send(
      'block',
      { friendId: this.runner.session.caller.userId },
      { session: blocker },
    );
    if (this.runner.outcome('block', exchange).kind === 'accepted') return blocker.caller.userId;
    throw new Undecided('a fresh user could not block the caller', [exchange]);
  }

  async #moreBlockers(): Promise<Session[]> {
    const provisioner = await this.runner.world.provisioner();
    if (!provisioner) throw new Undecided('it needs several users that block the caller: PROVISION_URL');
    return (await provisioner.users(30)).map((user) => this.runner.sessionOf(user));
  }
}
