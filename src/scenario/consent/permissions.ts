import type { Environment } from '../../config/index.ts';
import { areaIds, areas, type Effect, effects, operation, operationIds } from '../../spec/index.ts';
import { canRestore } from '../skip.ts';

const inWords: Readonly<Record<Effect, string>> = {
  read: 'read',
  reversible: 'change and take back',
  overwriting: 'overwrite',
  irreversible: 'change for good',
};

/** What an environment allows, in a few lines for a person to agree to. */
export function permissions(environment: Environment): string {
  const { name, addresses, allowedEffects, caller, friend, provisionUrl, rateLimits } = environment;
  const width = Math.max(...areaIds.map((area) => areas[area].title.length));
  const may = effects.filter((effect) => allowedEffects.has(effect));
  const mayNot = effects.filter((effect) => !allowedEffects.has(effect));
  const mayRestore = canRestore(environment) && !allowedEffects.has('overwriting');
  return [
    `${name} may be called at`,
    ...areaIds.map((area) => `  ${areas[area].title.padEnd(width)}  ${addresses[area].href}`),
    `as ${caller.userId} of ${caller.clientId}${friend.accessToken ? `, and as ${friend.userId}` : ''}, to`,
    ...may.map((effect) => `  ${inWords[effect]} (${effect}): ${operationsOf(effect)}`),
    ...(mayRestore ? ['  change the profile, where it can be read before, and put it back'] : []),
    ...(mayNot.length > 0 ? [`and never what is ${mayNot.join(', ')}.`] : []),
    ...(provisionUrl && allowedEffects.has('reversible') ? [`Users are made by ${provisionUrl.href}`] : []),
    `Pace: ${rateLimits?.maxRequestsPerSecond ? `${rateLimits.maxRequestsPerSecond} requests a second` : 'no limit a second'}, ${
      rateLimits?.maxConcurrency ? `${rateLimits.maxConcurrency} at once` : 'no limit at once'
    }`,
  ].join('\n');
}

function operationsOf(effect: Effect): string {
  return operationIds.filter((id) => operation(id).effect === effect).join(', ');
}
