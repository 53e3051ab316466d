import type { Exchange } from '../http/index.ts';
import { readProfile } from '../service/index.ts';
import { type Requests, Undecided } from './asker/asker.ts';
import { mentions } from './asker/reaction.ts';
import { among, once, type Question } from './question.ts';

/** Reads the caller's profile until it mentions `text`, or until CONSISTENCY_TIMEOUT_MS has passed. */
export async function readFor(requests: Requests, text: string | undefined) {
  const args = await requests.valid(readProfile.id);
  return requests.waitUntil(
    () => requests.control(readProfile.id, args),
    (exchange) => mentions(exchange, text),
  );
}

/** Reads the caller's profile until it mentions `text`. @throws Undecided if it never does */
export async function readUntil(requests: Requests, text: string | undefined, why: string): Promise<Exchange> {
  const { last, held } = await readFor(requests, text);
  if (!held) throw new Undecided(`${why}, but could not be read back`, [last]);
  return last;
}

interface Written {
  readonly name: string;
  readonly status: string;
  readonly url: string;
}

/**
 * Writes a profile three times, each time with new values: with all fields, with only `name`, and with `name;avartarUrl` in `includes`. The
 * new name shows that a write has arrived, and the other fields show the effect of `includes`.
 */
const includesEffect: Question['ask'] = async (asker) => {
  const { requests } = asker;
  requests.entry(readProfile.id);
  const write = (body: object) => asker.control(body);
  const written = async () => (await asker.valid()) as unknown as Written;
  const [before, after, last] = [await written(), await written(), await written()];
  await write(before);
  const first = await readUntil(requests, before.name, 'the name was written with all fields included');
  if (!mentions(first, before.status) || !mentions(first, before.url))
    throw new Undecided('the profile that is read back shows no status or no url', [first]);
  await write({ ...after, includes: 'name' });
  const second = await readUntil(requests, after.name, 'the name was written, and included');
  const isKept = mentions(second, before.status) && mentions(second, before.url);
  const isTaken = mentions(second, after.status) && mentions(second, after.url);
  if (!isKept && isTaken) return { answer: 'none: every field given is applied', seen: [first, second] };
  if (!isKept) throw new Undecided('fields outside includes were neither kept nor applied', [first, second]);
  await write({ ...last, includes: 'name;avartarUrl' });
  const third = await readUntil(requests, last.name, 'the name was written, and included');
  const isNamed = mentions(third, last.url);
  // The profile shows neither the earlier nor the new url. Somebody else may have written the profile, so the question stays open.
  if (!isNamed && !mentions(third, before.url))
    throw new Undecided('the url was neither kept nor applied, with avartarUrl included', [second, third]);
  const names = isNamed ? 'names url' : 'does not name url';
  return { answer: `only the fields named are applied; avartarUrl ${names}`, seen: [first, second, third] };
};

export const profile: readonly Question[] = [
  {
    id: 'includes-effect',
    of: once('includes-effect', among('updateProfile', 'getFriendProfile')),
    openIn: 'part 2: the effect of `includes` on which fields are applied is not shown',
    answers: 'none: every field given is applied; only the fields named are applied; avartarUrl names url, or does not',
    form: /^(none: every field given is applied|only the fields named are applied; avartarUrl (names|does not name) url)$/,
    broken: ({ was, now }) => [`applies other fields: ${now}`, `it was ${was}`],
    experiment: 'updates with all fields included, with the name alone, and with name and avartarUrl, each read back',
    ask: includesEffect,
    hold: 'again',
  },
];
