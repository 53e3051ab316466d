import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { complaintsOf } from '../../tools/pages/check-links.ts';
import { allScenarios } from '../run/index.ts';
import { runInProcess } from '../testing/programs/run-in-process.ts';
import { commandList, examples, listed, loadCommand } from './commands/index.ts';
import { programFor } from './program.ts';

/** A command and its sub-commands, each as a user types it after `sextant`. A command that only groups sub-commands is left out. */
function paths(command: Command, path: string): string[] {
  const below = command.commands.flatMap((each) => paths(each, `${path} ${each.name()}`));
  return below.length > 0 && listed[path]?.usage === '' ? below : [path, ...below];
}

test('every help ends with examples, two of a command that does something, of commands and options that there are', async () => {
  const all = [''];
  for (const name of Object.keys(listed)) {
    const [command] = (await programFor([name])).commands as [Command];
    all.push(...paths(command, name));
  }
  assert.deepEqual(all.toSorted(), Object.keys(examples).sort());
  const titles = (await allScenarios()).map(({ title }) => title);
  for (const path of all) {
    const two = examples[path] as readonly [string, string];
    const { code, out } = await runInProcess([...path.split(' ').filter(Boolean), '--help']);
    assert.equal(code, 0);
    assert.ok(out.endsWith(`\nExamples:\n  ${two[0]}\n  ${two[1]}\n`), path);
    for (const line of two) assert.deepEqual(complaintsOf('README.md', `\`${line}\``), [], line);
    // The examples must create scenarios with titles that no scenario has, because the command refuses a title that exists.
    for (const title of titles) assert.ok(!two.some((line) => line.includes(`new scenario "${title}"`)), title);
  }
});

test('the number that a help shows as a default can be given', async () => {
  for (const name of Object.keys(listed))
    for (const { flags, defaultValue, defaultValueDescription, parseArg } of (await loadCommand(name))?.options ?? []) {
      if (typeof defaultValue !== 'number') continue;
      const given = defaultValueDescription ?? String(defaultValue);
      assert.equal(parseArg?.(given, undefined), defaultValue, `${name} ${flags}`);
    }
});

test('bare sextant shows the help', async () => {
  const { code, err } = await runInProcess([]);
  assert.deepEqual([code, /Usage: sextant/.test(err)], [2, true]);
});

/** The entry of a command in the help. */
const shown = (command: Command) => {
  const help = new Command().createHelp();
  return [help.subcommandTerm(command), help.subcommandDescription(command)];
};

for (const light of commandList())
  test(`the help lists ${light.name()} as the command itself says`, async () => {
    const command = await loadCommand(light.name());
    assert.ok(command);
    assert.deepEqual(shown(light), shown(command));
  });

test('no command goes by a name that every object has', async () => {
  assert.equal(await loadCommand('constructor'), undefined);
  assert.ok(Object.keys(listed).length > 0);
});

for (const line of ['check --env=', 'prober --listen ', 'test --grep ', 'environments new x --from '])
  test(`${line}'' is refused`, async () => {
    const args = line.includes('=') ? line.split(' ') : [...line.trim().split(' '), ''];
    const { code, err } = await runInProcess(args);
    assert.equal(code, 2);
    assert.match(err, /It must not be empty\./);
  });
