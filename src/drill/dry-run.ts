import { join } from 'node:path';
import { ownReadProfile, type Service, seeded, whileServing } from '../../reference-service/index.ts';
import { fileRoles, remove, scratchFolder } from '../environment/files/index.ts';
import { atService, counted, type Environment } from '../environment/index.ts';
import type { Exchange } from '../http/index.ts';
import { Secret } from '../redaction/index.ts';
import { runScenario, scenarios } from '../run/index.ts';
import { unusedItems } from '../scenario/index.ts';
import { type Effect, operation, readProfile } from '../service/index.ts';
import { verdicts } from '../verdict/index.ts';

export interface Planned {
  readonly method: string;
  readonly url: string;
  readonly effect: Effect;
  readonly as: string;
}

export interface DryRunCall {
  readonly title: string;
  readonly requests: readonly Planned[];
  readonly skipped?: string;
  readonly endedEarly?: string;
}

/**
 * Finds out what each scenario would send in an environment, which itself receives nothing. For this, plays the scenarios against the
 * embedded service, with the permissions of the environment, and without the settings that the environment lacks. The signal ends the dry
 * run.
 */
export function dryRun(environment: Environment, signal?: AbortSignal): Promise<DryRunCall[]> {
  return onSubstitute(environment, async (played, original) => {
    const all: DryRunCall[] = [];
    for (const scenario of await scenarios()) {
      if (signal?.aborted) break;
      const run = { environment: played, seed: 'dry-run', runId: 'dry-run', ...(signal ? { signal } : {}) };
      const { title, verdict, reason, exchanges } = await runScenario(scenario, run);
      const requests = planned(exchanges, environment, original);
      if (!verdicts[verdict].ran) all.push({ title, requests, skipped: reason ?? 'no reason given' });
      else if (verdicts[verdict].exitCode === 0) all.push({ title, requests });
      else all.push({ title, requests, endedEarly: reason ?? verdict });
    }
    return all;
  });
}

function planned(exchanges: readonly Exchange[], environment: Environment, original: Original): Planned[] {
  const isProvisioned = environment.provisionUrl !== undefined && environment.allowedEffects.has('reversible');
  const users = [...new Set(exchanges.map(({ request }) => request.headers['mm-user-id']))].filter(Boolean);
  return exchanges.map(({ operation: id, area, request }) => {
    const entry = id === readProfile.id ? (environment.readProfile ?? ownReadProfile) : operation(id);
    const sent = id === readProfile.id ? ownReadProfile.path : entry.path;
    const given = new URL(request.url).pathname.split('/').map(decodeURIComponent);
    const values = new Map(sent.split('/').map((part, index) => [/^\{(\w+)\}$/.exec(part)?.[1], given[index]]));
    const segments: Readonly<Record<string, string>> = environment.blockListSegments;
    const path = entry.path.replace(/\{(\w+)\}/g, (whole, name: string) =>
      isProvisioned && madeAnew.has(name)
        ? whole
        : encodeURIComponent(segments[name] ?? original(values.get(name) ?? whole)),
    );
    const userId = request.headers['mm-user-id'];
    const isSecond = users.indexOf(userId) > 0;
    const user = isProvisioned ? (isSecond ? 'a second fresh user' : 'a fresh user') : original(userId ?? '');
    return {
      method: entry.method,
      url: environment.addresses[area].href + path.slice(1),
      effect: entry.effect,
      as: userId === undefined ? environment.caller.clientId : user,
    };
  });
}

type Original = (text: string) => string;

/** Path parameters whose ids a provisioner would create: a dry run prints only their names. */
const madeAnew: ReadonlySet<string> = new Set(['userId', 'id']);

/**
 * Runs `work` with a substitute for an environment, on the embedded service. The files that the run leaves behind (claims, journals) are in a
 * temporary folder, which is removed.
 */
export function onSubstitute<T>(
  environment: Environment,
  work: (substitute: Environment, original: Original) => Promise<T>,
  { quiet = false } = {},
): Promise<T> {
  return whileServing({ port: 0, quiet }, async (service) => {
    // This call must come before the state folder is replaced, because only the real folder lists the items that earlier runs used.
    const substitute = localSubstitute(environment, service);
    const folder = scratchFolder('sextant-dry-run-');
    const { SEXTANT_OUTPUT, SEXTANT_STATE } = process.env;
    Object.assign(process.env, { SEXTANT_OUTPUT: folder, SEXTANT_STATE: join(folder, 'state') });
    try {
      return await work(...substitute);
    } finally {
      for (const [name, value] of Object.entries({ SEXTANT_OUTPUT, SEXTANT_STATE })) {
        delete process.env[name];
        if (value !== undefined) process.env[name] = value;
      }
      remove(folder, fileRoles.scratch);
    }
  });
}

const app = { 'app-bundle': 'b', 'app-ver': '1', 'app-platform': 'web', 'app-lang': 'en', 'app-env': 'e' };
const LANGUAGE = 'en';
/** Data of the embedded service. It replaces only values that the original environment has; a missing value stays missing. */
const seededData = {
  reportLanguage: LANGUAGE,
  storyId: seeded.story,
  flagKey: seeded.flag.key,
  fromClientId: seeded.source.clientId,
  typeName: seeded.source.typeName,
};

/**
 * Returns a substitute for an environment: the addresses, users and data of the embedded service, but the permissions of `original`, and
 * none of the settings that `original` lacks. Also returns a function that replaces values of the substitute by those of `original`.
 */
function localSubstitute(original: Environment, service: Service): [Environment, Original] {
  const substituted = atService(original, service);
  const { successWhen: _, rateLimits: __, contract: ___, readProfile, caller, friend, data, ...rest } = substituted;
  const items = unusedItems(original, data.storedItemIds);
  const names = new Map<string, string>([
    [seeded.caller.userId, caller.userId],
    [seeded.friend.userId, friend.userId ?? seeded.friend.userId],
    [LANGUAGE, data.reportLanguage ?? LANGUAGE],
    ...seeded.items.map((item, index) => [item, items[index] ?? item] as const),
  ]);
  const environment: Environment = {
    ...rest,
    isLoopback: true,
    secrets: [],
    caller: {
      clientId: seeded.client.clientId,
      userId: seeded.caller.userId,
      ...(caller.accessToken ? { accessToken: new Secret(seeded.caller.accessToken) } : {}),
      ...(caller.apiKey ? { apiKey: new Secret(seeded.client.apiKey) } : {}),
      app,
    },
    blockListSegments: { n1: '0', n2: '100' },
    friend: {
      ...(friend.userId ? { userId: seeded.friend.userId } : {}),
      ...(friend.accessToken ? { accessToken: new Secret(seeded.friend.accessToken) } : {}),
    },
    data: {
      ...data,
      ...Object.fromEntries(Object.entries(seededData).filter(([name]) => data[name as keyof typeof data])),
      storedItemIds: seeded.items.slice(0, items.length),
    },
    ...(readProfile ? { readProfile: ownReadProfile } : {}),
  };
  return [environment, (text) => names.get(text) ?? text];
}

export function describeDryRun(
  { name, provisionUrl, allowedEffects }: Environment,
  scenarios: readonly DryRunCall[],
): string {
  const lines = [`${name}: what each scenario would send. Nothing was sent.`, ''];
  const width = Math.max(0, ...scenarios.flatMap(({ requests }) => requests.map(({ url }) => url.length)));
  for (const { title, requests, skipped, endedEarly } of scenarios) {
    if (skipped !== undefined && requests.length === 0) continue;
    lines.push(title, ...requests.map((request) => `  ${row(request, width)}`));
    if (skipped !== undefined) lines.push(`  then skipped: ${skipped}`);
    if (endedEarly !== undefined) lines.push(`  the dry run ended here: ${endedEarly}`);
    lines.push('');
  }
  const skips = scenarios.filter(({ skipped }) => skipped !== undefined);
  if (skips.length > 0) lines.push('Skipped', ...skips.map(({ title, skipped }) => `  ${title}: ${skipped}`), '');
  const total = scenarios.reduce((sum, { requests }) => sum + requests.length, 0);
  lines.push(
    `${counted(total, 'request')} in ${counted(scenarios.length - skips.length, 'scenario')}; ${skips.length} skipped.`,
    ...(provisionUrl && allowedEffects.has('reversible')
      ? [`Fresh users and items would come from ${provisionUrl.href}`]
      : []),
    'A list that lags is read again. `sextant test` also sends changed headers, invalid input and the steps of model tests, as far as allowed.',
  );
  return lines.join('\n');
}

function row({ method, url, effect, as }: Planned, width: number): string {
  return `${method.padEnd(6)} ${url.padEnd(width)}  ${effect.padEnd(12)} as ${as}`;
}
