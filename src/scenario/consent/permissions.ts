import type { Environment } from '../../config/index.ts';
import { areaIds, areas, type Effect, effects, operation, operationIds } from '../../spec/index.ts';
import { canRestore } from '../specs/skip.ts';

const effectTexts: Readonly<Record<Effect, string>> = {
  read: 'read',
  reversible: 'change and undo',
  overwriting: 'overwrite',
  irreversible: 'change permanently',
};

/** The text that asks for consent: everything that a run against an environment may do. */
export function permissions(environment: Environment): string {
  const { name, addresses, allowedEffects, caller, friend, provisionUrl } = environment;
  const width = Math.max(...areaIds.map((area) => areas[area].title.length));
  const may = effects.filter((effect) => allowedEffects.has(effect));
  const mayNot = effects.filter((effect) => !allowedEffects.has(effect));
  const mayRestore = canRestore(environment) && !allowedEffects.has('overwriting');
  return [
    `A run against ${name} calls`,
    ...areaIds.map((area) => `  ${areas[area].title.padEnd(width)}  ${addresses[area].href}`),
    `as ${caller.userId} of ${caller.clientId}${friend.accessToken ? `, and as ${friend.userId}` : ''}, and may`,
    ...may.map((effect) => `  ${effectTexts[effect]} (${effect}): ${operationsOf(effect)}`),
    ...(mayRestore ? ['  change the profile where it can be read first, and restore it'] : []),
    ...(mayNot.length > 0 ? [`It sends no ${listed(mayNot)} requests.`] : []),
    ...(provisionUrl && allowedEffects.has('reversible')
      ? [`Provisioner: ${provisionUrl.href} creates its users`]
      : []),
    `Rate limits: ${rateLimitText(environment)}`,
  ].join('\n');
}

function rateLimitText({ rateLimits }: Environment): string {
  const { maxRequestsPerSecond, maxConcurrency } = rateLimits ?? {};
  const perSecond =
    maxRequestsPerSecond && `${maxRequestsPerSecond} ${maxRequestsPerSecond === 1 ? 'request' : 'requests'} per second`;
  return [perSecond, maxConcurrency && `${maxConcurrency} at a time`].filter(Boolean).join(', ') || 'none';
}

/** `a`, `a or b`, `a, b or c`. */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function operationsOf(effect: Effect): string {
  return operationIds.filter((id) => operation(id).effect === effect).join(', ');
}
