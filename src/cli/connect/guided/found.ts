import { isDeepStrictEqual } from 'node:util';
import { type Exchange, isSuccess } from '../../../client/index.ts';
import type { Environment, KeyName } from '../../../config/index.ts';
import { type Operation, operationsWith } from '../../../spec/index.ts';
import { generousSegments } from '../../../survey/index.ts';
import { plannedRead, type Read, withReader } from '../examination/harmless-requests.ts';
import { successRule } from '../examination/success-signal.ts';
import { isFine, type Tried } from '../examination/try-areas.ts';
import { confirms } from './asker.ts';
import type { Interview } from './draft.ts';

interface Outcome {
  readonly environment: Environment;
  readonly tried: readonly Tried[];
}

const [list] = operationsWith('isPaged') as [Operation];

/** What was found out: a line for the person, and perhaps a value that follows. */
export type Found = string | { readonly text: string; readonly key: KeyName; readonly value: string };

/**
 * Finds out by reading how the service refuses, and which segments its list takes; `told` holds what was said before. Returns whether the
 * environment is another one now.
 */
export async function findOut(interview: Interview, outcome: Outcome, told: Set<string>): Promise<boolean> {
  const { asker, draft } = interview;
  const found = await withReader(outcome.environment, async (read) => [
    ...(await howItRefuses(outcome, read)),
    ...(await otherSegments(outcome, read)),
  ]);
  let isChanged = false;
  for (const each of found) {
    const text = typeof each === 'string' ? each : each.text;
    if (told.has(text)) continue;
    told.add(text);
    asker.say(text);
    if (typeof each === 'string' || !(await confirms(asker, `Set ${each.key}=${each.value}?`))) continue;
    draft.set(each.key, each.value);
    isChanged = true;
  }
  return isChanged;
}

/** From a read without its credential, next to those that were accepted. */
async function howItRefuses({ environment, tried }: Outcome, read: Read): Promise<Found[]> {
  const accepted = tried.filter(({ state }) => state === 'accepted');
  const [first] = accepted;
  const plan = first && plannedRead(environment, first.area);
  if (!plan || environment.successWhen) return [];
  const isUser = plan.operation.headerSet === 'user';
  const refused = await read(plan, { without: isUser ? 'authorization' : 'mm-api-key' });
  const responses = accepted.map(({ exchange }) => exchange);
  return [refusals(responses, refused, isUser ? 'its token' : 'its API key')];
}

/** The document doesn't say what the segments of a list mean; a service may count its pages from 1. */
async function otherSegments({ environment, tried }: Outcome, read: Read): Promise<Found[]> {
  const key = 'BLOCK_LIST_SEGMENTS';
  if (!tried.some((each) => each.isRead && !isFine(each) && each.keys.includes(key))) return [];
  const { n1, n2 } = environment.blockListSegments;
  for (const pair of generousSegments.filter((each) => each !== `${n1}/${n2}`)) {
    const [first, second] = pair.split('/');
    const { response, operation: id } = await read({ operation: list, args: { n1: first, n2: second }, keys: [] });
    if (response && isSuccess(id, response, environment.successWhen))
      return [{ text: `The block list refuses ${n1}/${n2}, and accepts ${pair}.`, key, value: pair }];
  }
  return [];
}

/** How the service refuses: from a read without its credential, next to reads that were accepted. */
export function refusals(accepted: readonly Exchange[], refused: Exchange, without: string): Found {
  const { response, failure } = refused;
  if (!response) return `A read without ${without} had no response (${failure?.reason ?? 'unknown'}).`;
  const { status } = response;
  if (status >= 400 && status < 500) return `Refusals have an error status: ${status} without ${without}.`;
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
  return `It answers ${status} without ${without}, too, with another body. If that is a refusal, set SUCCESS_WHEN to what signals success in the body.`;
}

function bodyOf({ response }: Exchange): unknown {
  return response?.body.json.ok ? response.body.json.value : undefined;
}
