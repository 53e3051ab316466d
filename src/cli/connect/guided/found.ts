import { isDeepStrictEqual } from 'node:util';
import { type Exchange, header, isSuccess, type SuccessRule } from '../../../client/index.ts';
import type { Environment, KeyName } from '../../../config/index.ts';
import { type AreaId, type Operation, operation, operationIds, operationsWith } from '../../../spec/index.ts';
import { generousSegments } from '../../../survey/index.ts';
import { describeBody } from '../connection-test/explain.ts';
import { type PlannedRead, plannedRead, type Read, withReader } from '../connection-test/harmless-requests.ts';
import { successRule } from '../connection-test/success-signal.ts';
import type { Outcome, Tried } from '../connection-test/try-areas.ts';
import { confirms } from './asker.ts';
import type { Interview } from './draft.ts';

/** The list by which a service's segments, lag and users are found out. */
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
  if (state === 'accepted') return [lag(exchange, consistencyTimeoutMs)];
  // Other areas took the same credentials, so the values are what it refuses.
  const takesCredentials = tried.some(
    ({ state: other, area }) => other === 'accepted' && area !== list.area && usersOwn.has(area),
  );
  const isOfValues = (state === 'odd' && status >= 400 && status < 500) || (state === 'refused' && status < 300);
  const isRefused = isOfValues && (takesCredentials || state === 'odd');
  if (!isRefused) return [];
  const refused = `${n1}/${n2}`;
  for (const pair of generousSegments.filter((each) => each !== refused)) {
    const [first, second] = pair.split('/');
    const { operation: id, response } = await read({ operation: list, args: { n1: first, n2: second }, keys: [] });
    if (response && isSuccess(id, response, successWhen))
      return [
        { text: `The block list refuses ${refused}, and accepts ${pair}.`, key: 'BLOCK_LIST_SEGMENTS', value: pair },
      ];
  }
  return [`The block list refuses ${refused}, and the other usual segments too: correct BLOCK_LIST_SEGMENTS.`];
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

/** An answer to what the environment needs to be judged right, or why there is none: a line for the person, and a value that follows. */
export type Found = string | { readonly text: string; readonly key: KeyName; readonly value: string };

/** How the service refuses: from a read without its credential, beside reads that were accepted. */
export function refusals(accepted: readonly Exchange[], refused: Exchange, without: string): Found {
  const { response, failure } = refused;
  if (!response) return `A read without ${without} had no response (${failure?.reason ?? 'unknown'}).`;
  const { status } = response;
  if (status >= 400 && status < 500)
    return `Refusals have an error status: ${status} without ${without}, ${formOf(refused)}.`;
  if (status >= 300) return `Without ${without} it answers ${status}: how it refuses is not known yet.`;
  const bodies = accepted.map(bodyOf);
  const rule = successRule(bodies, bodyOf(refused));
  if (rule !== undefined)
    return {
      text: `It answers ${status} without ${without}, too: success seems to be signalled in the body, by ${rule}.`,
      key: 'SUCCESS_WHEN',
      value: rule,
    };
  const same = bodies.some((body) => isDeepStrictEqual(body, bodyOf(refused)));
  if (same) return `The same read is answered without ${without}, too: it is not checked there.`;
  return `It answers ${status} without ${without}, too, with ${describeBody(response)}. If that is a refusal, set SUCCESS_WHEN to what signals success in the body.`;
}

function formOf({ response }: Exchange): string {
  if (!response || response.body.text === '') return 'without a body';
  if (response.body.json.ok) return 'as JSON';
  const type = header(response, 'content-type')?.split(';')[0];
  return type === 'text/html' ? 'as a page' : `as plain text${type ? ` (${type})` : ''}`;
}

function bodyOf({ response }: Exchange): unknown {
  return response?.body.json.ok ? response.body.json.value : undefined;
}

/** Whether the service knows FRIEND_USER_ID, from a read of that profile or as that user. */
export function friendKnown(
  { operation, response, failure }: Exchange,
  how: 'request' | 'token',
  rule?: SuccessRule,
): Found {
  if (!response) return `Whether FRIEND_USER_ID is known: no response (${failure?.reason ?? 'unknown'}).`;
  const { status } = response;
  const by = how === 'request' ? 'its profile can be read' : 'its token is accepted';
  if (isSuccess(operation, response, rule)) return `FRIEND_USER_ID is known: ${by}.`;
  if (how === 'request' && (status === 404 || status === 410))
    return `FRIEND_USER_ID is not known there (${status}): correct it, or leave it out.`;
  if (how === 'token' && (status === 401 || status === 403))
    return `FRIEND_ACCESS_TOKEN is refused (${status}): correct it, or FRIEND_USER_ID.`;
  return `Whether FRIEND_USER_ID is known: not clear (${status}).`;
}

/** As long as the key may be, in ms. */
const LONGEST_MS = 600_000;

/** Whether a list may be older than the last change, as far as its headers show it. `knownMs` is what counts now. */
export function lag({ response }: Exchange, knownMs: number): Found {
  const seconds = response ? cachedFor(header(response, 'cache-control') ?? '') : 0;
  if (seconds === 0)
    return `No header says that the block list is cached. Whether it lags behind a change shows only after one: npx sextant survey; until then it may, for ${knownMs} ms.`;
  const ms = Math.min((seconds + 1) * 1_000, LONGEST_MS);
  if (ms <= knownMs) return `The block list is cached for ${seconds} s; it may lag for ${knownMs} ms.`;
  return {
    text: `The block list is cached for ${seconds} s, so it may lag behind a change for as long.`,
    key: 'CONSISTENCY_TIMEOUT_MS',
    value: String(ms),
  };
}

/** Seconds for which a response may be repeated without asking the service (RFC 9111, 5.2.2). */
function cachedFor(control: string): number {
  if (/\bno-(store|cache)\b/i.test(control)) return 0;
  const ages = [...control.matchAll(/\b(?:s-maxage|max-age)\s*=\s*"?(\d{1,9})/gi)].map(([, age]) => Number(age));
  return Math.max(0, ...ages);
}
