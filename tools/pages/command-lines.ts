import type { Command, Option } from 'commander';
import { listed } from '../../src/cli/commands/index.ts';
import { programFor } from '../../src/cli/program.ts';
import { inCell, table } from './table.ts';

/** Usage, options and examples of each command, in the order of the help. */
export async function commandLines(): Promise<string> {
  const all: string[] = [];
  for (const name of Object.keys(listed)) {
    const command = (await programFor([name])).commands.find((each) => each.name() === name);
    if (command) all.push(sectionOf(command));
  }
  return all.join('\n\n');
}

function sectionOf(command: Command): string {
  const parts = [`## ${command.name()}`, sentence(command.description())];
  // A command with sub-commands does nothing itself, so only the sub-commands are shown.
  for (const each of command.commands.length > 0 ? command.commands : [command]) parts.push(...usageOf(each));
  return parts.join('\n\n');
}

function usageOf(command: Command): string[] {
  const names: string[] = [];
  for (let each: Command | null = command; each; each = each.parent) names.unshift(each.name());
  const usage = `${names.join(' ')} ${command.usage()}`.trim();
  const isSub = names.length > 2;
  const options = command.options.filter(({ hidden }) => !hidden).map((each) => [flagsOf(each), meaningOf(each)]);
  const words = command.registeredArguments.filter(({ description }) => description);
  const rows = [...words.map((each) => [`\`${each.name()}\``, inCell(each.description)]), ...options];
  return [
    ['```sh', usage, ...examplesOf(command), '```'].join('\n'),
    ...(isSub ? [sentence(command.description())] : []),
    ...(rows.length > 0 ? [table(['option', 'meaning'], rows)] : []),
  ];
}

/** The examples at the end of a command's help. */
function examplesOf(command: Command): string[] {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return (help.split('\nExamples:\n')[1] ?? '').split('\n').flatMap((line) => line.trim() || []);
}

function flagsOf({ flags }: Option): string {
  return `\`${inCell(flags)}\``;
}

function meaningOf({ description, defaultValue, argChoices }: Option): string {
  const choices = argChoices ? `: ${argChoices.join(', ')}` : '';
  const byDefault = ['string', 'number'].includes(typeof defaultValue) ? ` (default: ${defaultValue})` : '';
  return inCell(`${description}${choices}${byDefault}`);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
