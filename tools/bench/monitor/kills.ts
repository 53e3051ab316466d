import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Fault, startService } from '../../../reference-service/index.ts';
import { HistoryDatabase, historyFile } from '../../../src/monitor/index.ts';
import { temporaryFolder } from '../../../src/testing/monitor/fakes.ts';
import { receiver } from '../../../src/testing/monitor/receiver.ts';
import { numberArgument, print } from './figures.ts';

// SIGKILL at random moments: committed data must survive, and every notice must arrive with one key. `--kills 200`.
const kills = numberArgument('kills', 200);
const service = await startService({ port: 0 });
const people = await receiver();
const folder = temporaryFolder();
const data = join(folder.path, 'data');
const fault: Fault = { name: 'off', operation: 'evaluate', handle: () => () => ({ status: 500, body: {} }) };
const { addresses, provisionUrl } = service;
const given = JSON.stringify({ addresses, provisionUrl, people: people.url, data });

/** The highest ids that a child reported as committed. */
const said = { run: 0, flip: 0, telling: 0 };
// The service keeps failing and recovering, so that kills coincide with flips and notices.
const trouble = setInterval(() => service.faults.set(...(Math.random() < 0.5 ? [fault] : [])), 400);

for (let kill = 0; kill < kills; kill++) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'kill-child.ts'), given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.on('data', (chunk: Buffer) => note(chunk.toString()));
  await once(child.stdout, 'data');
  await wait(Math.random() * 600);
  child.kill('SIGKILL');
  await once(child, 'close');
  if ((kill + 1) % 20 === 0)
    print(`${kill + 1} kills; ${said.run} runs, ${said.flip} flips, ${said.telling} tellings said to be committed`);
}
clearInterval(trouble);
service.faults.set();
const last = spawn(process.execPath, [join(import.meta.dirname, 'kill-child.ts'), given], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
const db = await opened();
const waiting = () =>
  Number(db.get('SELECT count(*) AS count FROM notice WHERE sent IS NULL AND given_up IS NULL')?.count);
// A claim of a killed child expires after 35 s.
while (waiting() > 0) await wait(250);
last.kill('SIGKILL');
await once(last, 'close');

const count = (sql: string) => Number(db.get(sql)?.count);
const keys = db.all('SELECT key FROM notice').map(({ key }) => String(key));
const arrived = Map.groupBy(people.received, ({ headers }) => String(headers['idempotency-key']));
print(`runs lost:    ${said.run - count(`SELECT count(*) AS count FROM run WHERE id <= ${said.run}`)} of ${said.run}`);
print(
  `flips lost:   ${said.flip - count(`SELECT count(*) AS count FROM flip WHERE id <= ${said.flip}`)} of ${said.flip}`,
);
print(
  `tellings without a notice: ${count('SELECT count(*) AS count FROM telling') - keys.length} of ${count('SELECT count(*) AS count FROM telling')}`,
);
print(`notices that never arrived: ${keys.filter((key) => !arrived.has(key)).length} of ${keys.length}`);
print(
  `notices that arrived more than once, under the same key: ${[...arrived.values()].filter(({ length }) => length > 1).length}`,
);
print(`notices under a key that nobody wrote: ${[...arrived.keys()].filter((key) => !keys.includes(key)).length}`);
print(`the file: ${db.get('PRAGMA integrity_check')?.integrity_check}`);
db.close();
people.end();
folder.end();
await service.stop();

function note(text: string): void {
  for (const line of text.split('\n')) {
    const [run = 0, flip = 0, telling = 0] = line.split(' ').map(Number);
    said.run = Math.max(said.run, run);
    said.flip = Math.max(said.flip, flip);
    said.telling = Math.max(said.telling, telling);
  }
}

async function opened(): Promise<HistoryDatabase> {
  await wait(1_500);
  return new HistoryDatabase(historyFile(data), { readOnly: true });
}
