import { Command } from 'commander';
import { ConfigurationError } from '../../environment/index.ts';
import { fieldsIn } from '../../http/index.ts';
import { redact } from '../../redaction/index.ts';
import { excerpt } from '../../verdict/index.ts';
import { append } from '../choosing/selection-options.ts';
import { say } from '../output/terminal.ts';
import { SETTINGS_FILE, settingsFrom } from '../serving/settings-file.ts';

interface Flags {
  readonly env: readonly string[];
  readonly why?: string;
  readonly by?: string;
  readonly url?: string;
  readonly settings?: string;
}

export function maintenance(): Command {
  const command = new Command('maintenance');
  const part = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .requiredOption('--env <name>', 'environment, or a pattern such as prod-*; repeatable', append)
      .option('--by <name>', 'who does it, for the history (default: the user of this shell)')
      .option('--url <address>', 'address of the monitor (default: PAGE_URL of the settings, or where it listens)')
      .option('--settings <file>', `settings file with the TOKEN (default: ${SETTINGS_FILE})`);
  part('start', 'begin maintenance: runs go on, notices wait until it ends')
    .argument('[time]', 'how long, 1m to 30d', '1h')
    .option('--why <text>', 'e.g. "release 41": marked on charts, and named in incidents that begin soon after')
    .action((time: string, flags: Flags) => ask('start', { for: time, why: flags.why ?? '' }, flags));
  part('end', 'end maintenance before its time').action((flags: Flags) => ask('end', {}, flags));
  return command;
}

async function ask(what: 'start' | 'end', fields: Readonly<Record<string, string>>, flags: Flags): Promise<void> {
  const file = flags.settings ?? SETTINGS_FILE;
  const { pageUrl, listen, port, token } = settingsFrom(flags.settings);
  if (token === undefined)
    throw new ConfigurationError(
      `TOKEN is missing in ${file}, and so is MONITOR_TOKEN in the process environment: the monitor changes nothing without it.`,
    );
  // What answers may repeat it.
  const base = flags.url ?? pageUrl ?? `http://${listen}:${port}/`;
  const url = URL.parse(`maintenance/${what}`, base.endsWith('/') ? base : `${base}/`);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ConfigurationError(`--url ${JSON.stringify(base)} is not an http:// or https:// URL.`);
  const person = flags.by ?? process.env.USER ?? 'a pipeline';
  const form = new URLSearchParams({ ...fields, person, env: flags.env.join(',') });
  const [response, text] = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
    redirect: 'manual',
    signal: AbortSignal.timeout(15_000),
  })
    .then(async (answer) => [answer, redact(await answer.text())] as const)
    .catch(() => {
      throw new ConfigurationError(`No monitor answers at ${url.origin}. Is it running? --url names another address.`);
    });
  if (response.status === 401) throw new ConfigurationError(`The monitor at ${url.origin} does not accept this TOKEN.`);
  if (!response.ok) throw new ConfigurationError(`The monitor at ${url.origin} says: ${excerpt(text.trim(), 500)}`);
  const { done } = fieldsIn(text);
  if (typeof done !== 'string')
    throw new ConfigurationError(
      `What answers at ${url.origin} is no monitor: ${response.status}, ${excerpt(text.trim(), 80)}. --url names another address.`,
    );
  say(done);
}
