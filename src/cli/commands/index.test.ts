import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { commandList, listed, loadCommand } from './index.ts';

/** The help entry of a command. */
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
