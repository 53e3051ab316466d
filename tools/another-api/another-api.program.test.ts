import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { writeFiles } from '../../src/testing/own-folder.ts';
import { startCommand } from '../../src/testing/programs/run-command.ts';
import { listening } from '../../src/testing/servers/listening.ts';
import { Copy } from '../contributing/copy.ts';
import { edits, files, tables } from './notes.ts';

/** The small service, notes by user, in memory: well, or falling short. */
function notesService(breaks?: 'drop does nothing' | 'keep answers 500') {
  const kept = new Set<string>();
  return createServer(async (request, response) => {
    const user = request.headers['mm-user-id'];
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (!request.headers.authorization?.startsWith('bearer ')) return answer(401, { error: 'who?' });
    if (request.method === 'GET') {
      const own = [...kept].map((each) => each.split(' ')).filter(([by]) => by === user);
      return answer(
        200,
        own.map(([, noteId]) => ({ noteId })),
      );
    }
    const { noteId } = (await json(request)) as { noteId: string };
    const note = `${user} ${noteId}`;
    if (request.url === '/v1/notes/keep' && breaks === 'keep answers 500') return answer(500, { error: 'broken' });
    if (request.url === '/v1/notes/keep') kept.add(note);
    else if (breaks !== 'drop does nothing') kept.delete(note);
    return answer(200, {});
  });
}

const services = {
  notes: await listening(notesService()),
  forgetless: await listening(notesService('drop does nothing')),
  broken: await listening(notesService('keep answers 500')),
};

const copy = new Copy();
const at = (file: string) => join(copy.folder, file);

before(() => {
  rmSync(at('tests'), { recursive: true });
  const change = (file: string, make: (text: string) => string) =>
    writeFileSync(at(file), make(readFileSync(at(file), 'utf8')));
  for (const [file, begins, entries] of tables)
    change(file, (text) => {
      const from = text.indexOf(begins) + begins.length;
      return `${text.slice(0, from)}\n${entries}${text.slice(text.indexOf('\n} as const', from))}`;
    });
  for (const [file, from, to] of edits) change(file, (text) => text.replace(from, () => to));
  writeFiles(copy.folder, files);
  const local = readFileSync(at('environments/local.env'), 'utf8')
    .replace(/^(?:PROVISION_URL|DRIFT)=.*\n/gm, '')
    .replace('CONSISTENCY_TIMEOUT_MS=2000', 'CONSISTENCY_TIMEOUT_MS=100');
  for (const [name, { url }] of Object.entries(services))
    writeFileSync(at(`environments/${name}.env`), local.replace(/^NOTES_URL=.*/m, `NOTES_URL=${url}`));
});
after(() => Promise.all(Object.values(services).map(({ stop }) => stop())));

test('the engine compiles with another specification, without a change of its own', () => {
  const rooms = ['spec', 'client', 'config', 'scenario', 'runner', 'serving', 'prober', 'reporting'];
  const include = [...rooms.map((room) => `src/${room}`), 'schemas', 'tests'];
  const config = { extends: './tsconfig.json', include, exclude: ['**/*.test.ts'] };
  writeFileSync(at('tsconfig.engine.json'), JSON.stringify(config));
  // Several checkers work out the same types, each for itself.
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.engine.json', '--checkers', '1'];
  const { output } = copy.node(...tsc);
  // What they import of other rooms is compiled too.
  const engine = new RegExp(`^(?:${include.join('|')})/`);
  assert.deepEqual(
    output.split('\n').filter((line) => engine.test(line)),
    [],
  );
});

test('of three such services, one is well, and what is wrong with the others is said', async () => {
  const named = Object.keys(services).flatMap((name) => ['--env', name]);
  const command = startCommand(['check', ...named], {}, at('src/cli/sextant.ts'));
  assert.equal(await command.ended, 1, command.said());
  for (const text of [
    /passed .* notes +keep a note, list, then drop it/,
    /passed .* notes +any order of keeping and dropping/,
    /failed .* forgetless +keep a note/,
    /failed .* forgetless +any order/,
    /"sextant-\w+" found in/,
    /failed .* broken +keep a note/,
    /500[\s\S]*\/v1\/notes\/keep/,
    /Notes: keep answers 500 \(2 scenarios\)/,
    // Of each of the two.
    /(?:On the reference service, these 2 scenarios pass: the suite is not the cause[\s\S]*){2}/,
  ])
    assert.match(command.said(), text);
});
