import { type Exchange, isSuccess } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import { operation } from '../../spec/index.ts';
import { type PlannedRead, plannedRead } from '../trying/planned-read.ts';
import { Reader } from '../trying/reader.ts';
import type { Tried } from '../trying/try-areas.ts';
import type { Asking } from './ask-values.ts';
import type { Found } from './finding-out/found.ts';
import { friendKnown } from './finding-out/friend.ts';
import { lag } from './finding-out/lag.ts';
import { paging } from './finding-out/paging.ts';
import { refusals } from './finding-out/refusals.ts';
import { segments } from './finding-out/segments.ts';

/** Finds out, by reading alone, what is needed to judge the responses of an environment; what follows from it gets into the draft. */
export async function findOut(asking: Asking, environment: Environment, tried: readonly Tried[]): Promise<void> {
  const { asker } = asking;
  asker.say('\nWhat can be found out by reading:');
  const reader = new Reader(environment);
  try {
    for (const question of questionsFor(environment, tried, reader)) await take(await question(), asking);
  } finally {
    await reader.close();
  }
}

type Question = () => Promise<Found>;

function questionsFor(environment: Environment, tried: readonly Tried[], reader: Reader): Question[] {
  const { successWhen, blockListSegments, consistencyTimeoutMs, friend, readProfile } = environment;
  const accepted = tried.flatMap(({ state, exchange }) => (state === 'accepted' && exchange ? [exchange] : []));
  const list = tried.find(({ area }) => area === 'friends');
  const questions: Question[] = [];
  const [first] = accepted;
  if (!first) questions.push(async () => ({ text: 'Nothing: no read was accepted.' }));
  else if (!successWhen) questions.push(() => howItRefuses(environment, first, accepted, reader));
  const readList = (n1: string, n2: string) =>
    reader.read({ operation: operation('listBlocked'), args: { n1, n2 }, keys: [] });
  const status = list?.exchange?.response?.status ?? 0;
  const { exchange } = list ?? {};
  if (list?.state === 'odd' && status >= 400 && status < 500 && status !== 429 && status !== 407)
    questions.push(() => segments(`${blockListSegments.n1}/${blockListSegments.n2}`, readList));
  else if (list?.state === 'accepted' && exchange) {
    questions.push(() => paging(exchange, ([n1, n2]) => readList(String(n1), String(n2))));
    questions.push(async () => lag(exchange, consistencyTimeoutMs));
  }
  if (first && friend.userId === undefined)
    questions.push(async () => ({
      text: 'FRIEND_USER_ID is not set: scenarios that need a second user are skipped, others invent one.',
    }));
  else if (first && readProfile)
    questions.push(async () => {
      const read = { operation: readProfile, args: { userId: friend.userId }, keys: [] };
      return friendKnown(await reader.read(read), 'profile');
    });
  else if (first && friend.accessToken)
    questions.push(async () => {
      const read = { operation: operation('listBlocked'), args: blockListSegments, keys: [] };
      return friendKnown(await reader.read(read, { as: 'friend' }), 'token');
    });
  else if (first)
    questions.push(async () => ({
      text: 'Whether FRIEND_USER_ID is known shows only with FRIEND_PROFILE_REQUEST or FRIEND_ACCESS_TOKEN.',
    }));
  return questions;
}

/** The first accepted read once more, without its credential. */
async function howItRefuses(
  environment: Environment,
  first: Exchange,
  accepted: readonly Exchange[],
  reader: Reader,
): Promise<Found> {
  const plan = plannedRead(environment, first.area) as PlannedRead;
  const [without, name] =
    plan.operation.headerSet === 'user' ? ['authorization', 'its token'] : ['mm-api-key', 'its API key'];
  const bodies = accepted.filter(({ operation: id, response }) => response && isSuccess(id, response));
  return refusals(bodies, await reader.read(plan, { without }), name);
}

async function take({ text, sets }: Found, { asker, draft }: Asking): Promise<void> {
  asker.say(`  ${text}`);
  if (!sets || 'problem' in draft.check(sets.key, sets.value)) return;
  const { key, value } = sets;
  const answer = await asker.choose(`Set ${key}=${value}?`, [
    { value: 'yes', name: 'yes' },
    { value: 'no', name: 'no' },
  ]);
  if (answer !== 'yes') return;
  draft.set(key, value);
  draft.notes.set(key, 'found out by reading when this file was made');
}
