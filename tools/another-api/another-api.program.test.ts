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

/** The small service: notes by user, in memory; `breaks` makes it fall short. */
const kept = new Set<string>();
type Breaks = 'nothing' | 'drop does nothing' | 'keep answers 500';
let breaks = 'nothing' as Breaks;
const service = createServer(async (request, response) => {
  const user = request.headers['mm-user-id'];
  const answer = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (!request.headers.authorization?.startsWith('bearer ')) return answer(401, { error: 'who?' });
  if (request.method === 'GET')
    return answer(
      200,
      [...kept].flatMap((each) => (each.split(' ')[0] === user ? [{ noteId: each.split(' ')[1] }] : [])),
    );
  const { noteId } = (await json(request)) as { noteId: string };
  const note = `${user} ${noteId}`;
  if (request.url === '/v1/notes/keep' && breaks === 'keep answers 500') return answer(500, { error: 'broken' });
  if (request.url === '/v1/notes/keep') kept.add(note);
  else if (breaks !== 'drop does nothing') kept.delete(note);
  return answer(200, {});
});

const copy = new Copy();
const at = (file: string) => join(copy.folder, file);

const { url, stop } = await listening(service);

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
  const texts = Object.entries(files).map(([file, text]) => [file, text.replace('http://127.0.0.1:1', url)]);
  writeFiles(copy.folder, Object.fromEntries(texts));
});
after(stop);

test('the engine compiles with another specification, without a change of its own', () => {
  const rooms = ['spec', 'client', 'config', 'scenario', 'runner', 'serving', 'prober', 'reporting'];
  const include = [...rooms.map((room) => `src/${room}`), 'schemas', 'tests'];
  const config = { extends: './tsconfig.json', include, exclude: ['**/*.test.ts'] };
  writeFileSync(at('tsconfig.engine.json'), JSON.stringify(config));
  const { output } = copy.types('tsconfig.engine.json');
  // What they import of other rooms is compiled too.
  const engine = new RegExp(`^(?:${include.join('|')})/`);
  assert.deepEqual(
    output.split('\n').filter((line) => engine.test(line)),
    [],
  );
});

const both = /On the reference service, these 2 scenarios pass: the suite is not the cause/;
const outcomes: readonly (readonly [is: Breaks, code: number, said: readonly RegExp[]])[] = [
  ['nothing', 0, [/passed .* keep a note, list, then drop it/, /passed .* any order of keeping and dropping/]],
  ['drop does nothing', 1, [/failed .* keep a note/, /failed .* any order/, /"sextant-\w+" found in/, both]],
  ['keep answers 500', 1, [/failed .* keep a note/, /500[\s\S]*\/v1\/notes\/keep/, /keep answers 500/, both]],
];

for (const [is, code, said] of outcomes)
  test(`a service where ${is === 'nothing' ? 'all is well' : is}: ends with ${code}`, async () => {
    breaks = is;
    kept.clear();
    const command = startCommand(['check', '--env', 'notes'], {}, at('src/cli/sextant.ts'));
    assert.equal(await command.ended, code, command.said());
    for (const text of said) assert.match(command.said(), text);
  });
