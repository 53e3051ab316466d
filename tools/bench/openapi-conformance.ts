import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startService } from '../../reference-service/index.ts';
import { type Verdict, verdicts } from '../../src/client/index.ts';
import { type Environment, loadEnvironment } from '../../src/config/index.ts';
import { overallVerdict, runAll, scenarios } from '../../src/runner/index.ts';
import { type AreaId, areaIds, operation, operationIds, readProfile } from '../../src/spec/index.ts';
import { openApiDocument } from '../../src/survey/index.ts';

/**
 * Runs every scenario through Prism, an independent proxy, which validates each request and response against the
 * document that `sextant openapi --env local` prints. It responds with 500 to a violation, so the scenario fails.
 * Prism is fetched with npx, so this needs the package registry.
 */
const PRISM = '@stoplight/prism-cli@5.16.0';

const local = loadEnvironment('local');
const service = await startService({ port: 0 });
const folder = mkdtempSync(join(tmpdir(), 'sextant-openapi-'));
const gateway = createServer(toArea).listen(0, '127.0.0.1');
await once(gateway, 'listening');
const upstream = `http://127.0.0.1:${portOf(gateway.address())}`;
const document = openApiDocument({ version: '1', ...withAddresses(upstream) });
const file = join(folder, 'openapi.json');
writeFileSync(file, JSON.stringify(document));
const port = await freePort();
const prism = spawn('npx', ['--yes', PRISM, 'proxy', file, upstream, '--errors', '-p', String(port)], {
  stdio: ['ignore', 'pipe', 'pipe'],
  detached: true,
});
let said = '';
for (const stream of [prism.stdout, prism.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
try {
  await until(() => isListening(port));
  const environment = {
    ...withAddresses(`http://127.0.0.1:${port}`),
    provisionUrl: new URL(`${service.provisionUrl}/`),
  };
  const all = await scenarios();
  const honest = await verdictOn(environment, all);
  const forwarded = said.split('\n').filter((line) => line.includes('Forwarding')).length;
  process.stdout.write(`${honest}: ${all.length} scenarios, ${forwarded} requests forwarded by ${PRISM}\n`);
  // A proxy that accepts everything would prove nothing.
  service.faults.set({
    name: 'love counts in words',
    operation: 'love',
    handle: (handler) => (visit) => ({ status: 200, body: { ...(handler(visit).body as object), loves: 'many' } }),
  });
  const faulty = await verdictOn(
    { ...environment, observed: new Map() },
    all.filter(({ title }) => title === 'love, then unlove'),
  );
  process.stdout.write(`${faulty === 'failed' ? 'seen' : 'NOT SEEN'}: an answer that breaks the document\n`);
  process.exitCode = verdicts[honest].exitCode === 0 && faulty === 'failed' ? 0 : 1;
} finally {
  if (prism.pid) process.kill(-prism.pid);
  gateway.closeAllConnections();
  gateway.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function verdictOn(environment: Environment, chosen: Awaited<ReturnType<typeof scenarios>>): Promise<Verdict> {
  const results = await runAll(chosen, { environment, seed: '1', runId: randomUUID() });
  for (const { verdict, title, reason } of results)
    if (verdict !== 'passed') process.stdout.write(`${verdict.padEnd(12)}${title}: ${reason}\n`);
  return overallVerdict(results.map(({ verdict }) => verdict));
}

/** One address for all areas, as Prism has one upstream: the path determines the area. */
function toArea(incoming: IncomingMessage, response: ServerResponse): void {
  const rows = [...operationIds.map(operation), { ...readProfile, path: '/v1/profile' }];
  const row = rows.find(({ path }) => (incoming.url ?? '').startsWith(path.replace(/\/?\{.*/, '')));
  const address = new URL(incoming.url ?? '/', service.addresses[row?.area ?? 'friends']);
  const { host: _, ...headers } = incoming.headers;
  const onward = send(address, { method: incoming.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  incoming.pipe(onward);
}

function withAddresses(base: string): Environment {
  const addresses = Object.fromEntries(areaIds.map((area) => [area, new URL(`${base}/`)])) as Record<AreaId, URL>;
  // HTTP scheme names are case-insensitive; Prism accepts only `Bearer`.
  return { ...local, addresses, caller: { ...local.caller, scheme: 'Bearer' } };
}

function portOf(address: AddressInfo | string | null): number {
  return (address as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const free = portOf(server.address());
  server.close();
  return free;
}

async function isListening(at: number): Promise<boolean> {
  const socket = connect(at, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    if (prism.exitCode !== null) throw new Error(`Prism ended:\n${said}`);
    await wait(200);
  }
}
