import type { Exchange } from '../../../client/index.ts';
import type { Environment } from '../../../config/index.ts';
import { type AreaId, type Operation, operation, operationIds, operationsWith } from '../../../spec/index.ts';
import { type PlannedRead, plannedRead, type Read, withReader } from '../connection-test/reader.ts';
import type { Outcome, Tried } from '../connection-test/try-areas.ts';
import { type Found, friendKnown, lag, refusals, segments } from './found.ts';
import { confirms } from './prompts/asker.ts';
import type { Interview } from './questions.ts';

/** The list by which a service's pages, lag and users are found out. */
const [list] = operationsWith('isPaged') as [Operation];

/** Areas with the same credentials. */
const usersOwn: ReadonlySet<AreaId> = new Set(
  operationIds.map(operation).flatMap(({ area, headerSet }) => (headerSet === list.headerSet ? [area] : [])),
);

/** Finds out how the service refuses. Returns whether success is signalled in the body, so that earlier responses mean something else. */
export async function findSuccessRule(interview: Interview, { environment, tried }: Outcome): Promise<boolean> {
  interview.asker.say('\nWhat can be found out by reading:');
  const accepted = acceptedOf(tried);
  const [first] = accepted;
  if (!first) interview.asker.say('  Nothing: no read was accepted.');
  if (!first || environment.successWhen) return false;
  return withReader(environment, async (read) => {
    const plan = plannedRead(environment, first.area) as PlannedRead;
    const [without, name] =
      plan.operation.headerSet === 'user' ? ['authorization', 'its token'] : ['mm-api-key', 'its API key'];
    return take(refusals(accepted, await read(plan, { without }), name), interview);
  });
}

/** Finds out what else is needed to judge the responses; what follows from it gets into the draft. */
export async function findOut(interview: Interview, { environment, tried }: Outcome): Promise<void> {
  await withReader(environment, async (read) => {
    const list = await aboutList(environment, tried, read);
    for (const found of [...list, ...(await aboutFriend(environment, tried, read))]) await take(found, interview);
  });
}

function acceptedOf(tried: readonly Tried[]): Exchange[] {
  return tried.flatMap(({ state, exchange }) => (state === 'accepted' ? [exchange] : []));
}

/** The segments of the block list, and whether it may be older than the last change. */
async function aboutList(environment: Environment, tried: readonly Tried[], read: Read): Promise<Found[]> {
  const { successWhen, blockListSegments, consistencyTimeoutMs } = environment;
  const { n1, n2 } = blockListSegments;
  const { state, exchange, isRead } = tried.find(({ area }) => area === list.area) ?? {};
  const status = exchange?.response?.status ?? 0;
  if (!exchange || !isRead || status === 429) return [];
  const page = (a: string, b: string) => read({ operation: list, args: { n1: a, n2: b }, keys: [] });
  if (state === 'accepted') return [lag(exchange, consistencyTimeoutMs)];
  // Other areas took the same credentials, so the values are what it refuses.
  const takesCredentials = tried.some(
    ({ state: other, area }) => other === 'accepted' && area !== list.area && usersOwn.has(area),
  );
  const isOfValues = (state === 'odd' && status >= 400 && status < 500) || (state === 'refused' && status < 300);
  const isRefused = isOfValues && (takesCredentials || state === 'odd');
  return isRefused ? [await segments(`${n1}/${n2}`, page, successWhen)] : [];
}

async function aboutFriend(environment: Environment, tried: readonly Tried[], read: Read): Promise<Found[]> {
  const { friend, readProfile, blockListSegments, successWhen } = environment;
  if (acceptedOf(tried).length === 0) return [];
  if (friend.userId === undefined)
    return ['FRIEND_USER_ID is not set: scenarios that need a second user are skipped, others invent one.'];
  if (readProfile) {
    const planned = { operation: readProfile, args: { userId: friend.userId }, keys: [] };
    return [friendKnown(await read(planned), 'request', successWhen)];
  }
  if (friend.accessToken) {
    const planned = { operation: list, args: blockListSegments, keys: [] };
    return [friendKnown(await read(planned, { as: 'friend' }), 'token', successWhen)];
  }
  return ['Whether FRIEND_USER_ID is known shows only with FRIEND_PROFILE_REQUEST or FRIEND_ACCESS_TOKEN.'];
}

/** Says what was found out, and asks whether to write what follows from it. Returns whether it will be written. */
async function take(found: Found, { asker, draft }: Interview): Promise<boolean> {
  const isLine = typeof found === 'string';
  asker.say(`  ${isLine ? found : found.text}`);
  if (isLine || 'problem' in draft.check(found.key, found.value)) return false;
  const { key, value } = found;
  if (!(await confirms(asker, `Set ${key}=${value}?`))) return false;
  draft.set(key, value);
  draft.notes.set(key, 'found out by reading when this file was made');
  return true;
}
