import type { Command } from 'commander';
import { ConfigurationError } from '../../environment/index.ts';
import { fieldsIn } from '../../http/index.ts';
import { redact } from '../../redaction/index.ts';
import { excerpt } from '../../verdict/index.ts';
import { say } from '../output/terminal.ts';
import { SETTINGS_FILE, settingsFrom } from './settings-file.ts';

/** The address of a running monitor, and its settings file. */
export interface AskedMonitor {
  readonly url?: string;
  readonly settings?: string;
}

export function withMonitor(command: Command): Command {
  return command
    .option('--url <address>', 'address of the monitor (default: PAGE_URL of the settings, or where it listens)')
    .option('--settings <file>', `settings file with the TOKEN (default: ${SETTINGS_FILE})`);
}

/**
 * Posts a form to a running monitor, with the token of its settings, and prints what the monitor did.
 * @throws ConfigurationError with the reason if the monitor did nothing
 */
export async function askMonitor(
  path: string,
  fields: readonly (readonly [name: string, value: string])[],
  flags: AskedMonitor,
): Promise<void> {
  const file = flags.settings ?? SETTINGS_FILE;
  const { pageUrl, listen, port, token } = settingsFrom(flags.settings);
  if (token === undefined)
    throw new ConfigurationError(
      `TOKEN is missing in ${file}, and so is MONITOR_TOKEN in the process environment: the monitor changes nothing without it.`,
    );
  const base = flags.url ?? pageUrl ?? `http://${listen}:${port}/`;
  const url = URL.parse(path, base.endsWith('/') ? base : `${base}/`);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ConfigurationError(`--url ${JSON.stringify(base)} is not an http:// or https:// URL.`);
  const [response, text] = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams(fields.map(([...field]) => field)),
    redirect: 'manual',
    signal: AbortSignal.timeout(15_000),
  })
    // The response may repeat the token, so redact it.
    .then(async (answer) => [answer, redact(await answer.text())] as const)
    .catch(() => {
      throw new ConfigurationError(`No monitor responds at ${url.origin}. Is it running? --url names another address.`);
    });
  if (response.status === 401) throw new ConfigurationError(`The monitor at ${url.origin} does not accept this TOKEN.`);
  if (!response.ok) throw new ConfigurationError(`The monitor at ${url.origin} says: ${excerpt(text.trim(), 500)}`);
  const { done } = fieldsIn(text);
  if (typeof done !== 'string')
    throw new ConfigurationError(
      `The server at ${url.origin} is no monitor: ${response.status}, ${excerpt(text.trim(), 80)}. --url names another address.`,
    );
  say(done);
}
