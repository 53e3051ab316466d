import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from '../../../reference-service/index.ts';
import { startBenchEnvironment } from '../bench-environment.ts';
import { startBlackbox } from '../blackbox.ts';
import { print } from '../monitor/figures.ts';
import { usageOf } from '../process-usage.ts';
import { Unmeasurable } from '../row.ts';
import { startProberProcess } from './prober-process.ts';
import { requestsOf } from './requests-of.ts';

// What a probe costs: `sextant prober` and blackbox_exporter in turn, in one run, against the same service, asked over the same HTTP
// client. Prints a row for each: CPU of the probing process per probe and per request that it made, probes a second with 16 clients,
// resident memory afterwards.
const WARM_UP = 600;
const PROBES = 1_000;
const ROUNDS = 3;
const CLIENTS = 16;

/** The list of blocked users with the headers that the operation has. */
function blackboxModules(): string {
  const { caller, client } = seeded;
  const headers = {
    authorization: `bearer ${caller.accessToken}`,
    'mm-client-id': client.clientId,
    'mm-user-id': caller.userId,
  };
  const list = { prober: 'http', timeout: '5s', http: { preferred_ip_protocol: 'ip4', headers } };
  return JSON.stringify({ modules: { list } });
}

/** One probe after another; or those of several clients. */
async function probe(url: string, count: number, clients = 1): Promise<void> {
  let left = count;
  const client = async () => {
    while (left-- > 0) {
      const text = await (await fetch(url)).text();
      if (!/^probe_success 1$/m.test(text)) throw new Error(`${url} did not succeed:\n${text}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}

async function cpuUsOf(pid: number, url: string): Promise<number> {
  const before = usageOf(pid).cpuMs;
  await probe(url, PROBES);
  return ((usageOf(pid).cpuMs - before) * 1_000) / PROBES;
}

async function perSecond(url: string): Promise<number> {
  const start = performance.now();
  await probe(url, PROBES, CLIENTS);
  return (PROBES * 1_000) / (performance.now() - start);
}

const bench = await startBenchEnvironment();
Object.assign(process.env, bench.env);
const file = join(bench.folder, 'blackbox.json');
writeFileSync(file, blackboxModules());
try {
  const blackbox = await startBlackbox(file);
  const prober = await startProberProcess(['--env', 'bench'], bench.env);
  const target = `${bench.serving.addresses.friends}/v1/friends/block/0/100`;
  const module = async (slug: string) => ({
    name: `prober, ${slug}`,
    pid: prober.pid,
    url: `${prober.url}probe?target=bench&module=${slug}`,
    requests: await requestsOf('bench', slug),
  });
  const sides = [
    {
      name: blackbox.version,
      pid: blackbox.pid,
      url: `${blackbox.url}/probe?module=list&target=${encodeURIComponent(target)}`,
      requests: 1,
    },
    await module('evaluate-a-flag-that-exists'),
    await module('read-only-round'),
    await module('block-then-list-then-unblock'),
  ];
  const least = new Map<string, number>();
  const most = new Map<string, number>();
  for (const { url } of sides) await probe(url, WARM_UP);
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, pid, url } of sides) {
      least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, await cpuUsOf(pid, url)));
      most.set(name, Math.max(most.get(name) ?? 0, await perSecond(url)));
    }
  for (const { name, pid, requests } of sides) {
    const cpu = least.get(name) ?? Number.NaN;
    print(
      `| ${name} | ${requests} | ${Math.round(cpu)} µs | ${Math.round(cpu / requests)} µs | ${Math.round(most.get(name) ?? 0)} | ${Math.round(usageOf(pid).residentMb)} MB |`,
    );
  }
  blackbox.stop();
  await prober.stop();
} catch (error) {
  if (!(error instanceof Unmeasurable)) throw error;
  print(`skipped: ${error.message}`);
} finally {
  bench.stop();
}
process.exit();
