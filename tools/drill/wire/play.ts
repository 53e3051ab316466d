import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Environment } from '../../../src/config/index.ts';
import { drillService, playedFor, wireFaults } from '../../../src/drill/index.ts';
import { Identities } from '../../../src/drill/wire/identities.ts';
import { scenarios } from '../../../src/runner/index.ts';
import { readJournals } from '../../../src/scenario/index.ts';
import { operation } from '../../../src/spec/index.ts';
import { services } from '../timeline/services.ts';

export type PlayedDrill = Awaited<ReturnType<typeof playDrill>>;

/** Drills every `of`th fault of a service, from the `from`th on; and whether it is as before. */
export async function playDrill(service: string, given: Environment, from = 0, of = 1) {
  // A busy machine is not a broken service.
  const environment = { ...given, requestTimeoutMs: 10_000 };
  const all = wireFaults(environment.readProfile);
  const before = await stateOf(environment);
  const faults = all.filter((_, index) => index % of === from % of);
  const drilled = await drillService({
    environment,
    scenarios: playedFor(faults, [...(await scenarios()), ...(await scenarios('auth'))]),
    faults,
    seed: 'wire',
  });
  let after = await stateOf(environment);
  // A list may lag behind the last undo.
  for (let times = 0; times < 20 && !isDeepStrictEqual(after, before); times++) {
    await wait(250);
    after = await stateOf(environment);
  }
  const isSame = isDeepStrictEqual(after, before);
  if (!isSame) process.stdout.write(`${JSON.stringify({ before, after }, null, 1)}\n`);
  const left = readJournals(environment.name).flatMap(({ pending }) => pending).length;
  return { service, ...drilled, isSame, left };
}

/** What can be read of both users: their lists and profiles, past every middleware of the suite. */
async function stateOf(environment: Environment) {
  const { addresses, caller, friend, blockListSegments, readProfile } = environment;
  const identities = new Identities(environment);
  const reads = [operation('listBlocked'), operation('listBlockers'), ...(readProfile ? [readProfile] : [])];
  const found: string[] = [];
  for (const userId of [caller.userId, ...(friend.userId && friend.accessToken ? [friend.userId] : [])])
    for (const { path, area, method } of reads) {
      const values: Readonly<Record<string, string>> = { ...blockListSegments, userId };
      const at = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(values[name] ?? name));
      const headers = Object.entries(identities.rightHeaders({ 'mm-user-id': userId }) ?? {});
      const response = await fetch(new URL(at.slice(1), addresses[area]), { method, headers });
      // What is refused, as some lists are without entries, may be worded anew each time.
      found.push(`${userId} ${at} ${response.status} ${response.ok ? await response.text() : ''}`);
    }
  return found;
}

/** The same of a service by its name. */
export async function drillNamed({ service, from, of }: { readonly service: string; from?: number; of?: number }) {
  let played: PlayedDrill | undefined;
  await services[service]?.(async (environment) => {
    played = await playDrill(service, environment, from, of);
  });
  return played as PlayedDrill;
}

export async function work(names: readonly string[], send: (drill: PlayedDrill) => void): Promise<void> {
  for (const service of names) send(await drillNamed({ service }));
}
