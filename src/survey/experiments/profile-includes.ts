import type { Exchange } from '../../client/index.ts';
import { readProfile } from '../../spec/index.ts';
import type { ExperimentRunner } from '../asking/experiment-runner.ts';
import { mentions } from '../asking/reaction.ts';
import { Undecided } from '../facts/fact.ts';
import { among, type Experiment, oneQuestion } from './experiment.ts';

/** Reads the caller's profile until it mentions `text`. @throws Undecided if it never does. */
async function readUntil(runner: ExperimentRunner, text: string | undefined, why: string): Promise<Exchange> {
  const args = await runner.valid(readProfile.id);
  const { last, held } = await runner.waitUntil(
    () => runner.control(readProfile.id, args),
    (exchange) => mentions(exchange, text),
  );
  if (!held) throw new Undecided(`${why}, but could not be read back`, [last]);
  return last;
}

/**
 * Writes all fields; then other values for all of them with only `name` in `includes`; then another name and address with
 * `name;avartarUrl` in it. The changed name shows that a write has arrived; the other fields show the effect of `includes`.
 */
const includesEffect: Experiment['run'] = async (question) => {
  const { runner } = question;
  runner.entry(readProfile.id);
  const write = (body: object) => question.control(body);
  const [before, after, last] = [runner.world.data.profile(), runner.world.data.profile(), runner.world.data.profile()];
  await write(before);
  const first = await readUntil(runner, before.name, 'the name was written with all fields included');
  if (!mentions(first, before.status) || !mentions(first, before.url))
    throw new Undecided('the profile that is read back shows no status or no url', [first]);
  await write({ ...after, includes: 'name' });
  const second = await readUntil(runner, after.name, 'the name was written, and included');
  const isKept = mentions(second, before.status) && mentions(second, before.url);
  const isTaken = mentions(second, after.status) && mentions(second, after.url);
  if (!isKept && isTaken) return { answer: 'none: every field given is applied', seen: [first, second] };
  if (!isKept) throw new Undecided('fields outside includes were neither kept nor applied', [first, second]);
  await write({ ...last, includes: 'name;avartarUrl' });
  const third = await readUntil(runner, last.name, 'the name was written, and included');
  const isNamed = mentions(third, last.url);
  // One that is gone, or of somebody who writes too, is neither.
  if (!isNamed && !mentions(third, before.url))
    throw new Undecided('the url was neither kept nor applied, with avartarUrl included', [second, third]);
  const names = isNamed ? 'names url' : 'does not name url';
  return { answer: `only the fields named are applied; avartarUrl ${names}`, seen: [first, second, third] };
};

/** Operation 12 has a separate request if the configured one works. */
const ownRequest: Experiment['run'] = async ({ runner }) => {
  const { method, path } = runner.entry(readProfile.id);
  const own = await runner.control(readProfile.id);
  const { id: userId } = await runner.world.value('friend');
  const seen = [own, await runner.control(readProfile.id, { userId })];
  return { answer: `${method} ${path}`, seen };
};

export const profile: readonly Experiment[] = [
  oneQuestion('includes-effect', among('updateProfile', 'getFriendProfile'), includesEffect, 'once more'),
  oneQuestion('own-request', among('getFriendProfile'), ownRequest),
];
