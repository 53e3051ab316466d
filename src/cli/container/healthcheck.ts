import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseVariables } from '../../environment/files/parse-variables.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The address that a container's health check requests, from the words of the container's command line. `undefined` for commands that end
 * by themselves, such as `check` and `test`, because their exit code shows their health. `settingsIn` reads a settings file, and returns an
 * empty text for a missing file.
 */
export function healthAddress(
  words: readonly string[],
  variables: Variables,
  settingsIn: (file: string) => string,
): string | undefined {
  const options = { listen: { type: 'string' }, port: { type: 'string' }, settings: { type: 'string' } } as const;
  const { listen, port, settings } = parseArgs({
    args: [...words],
    options,
    strict: false,
    allowPositionals: true,
  }).values;
  const portOf = (address: unknown) => /:(\d+)$/.exec(String(address))?.[1];
  if (words.includes('prober'))
    return `http://127.0.0.1:${portOf(listen ?? variables.PROBER_LISTEN) ?? '9465'}/healthz`;
  if (!words.includes('monitor')) return undefined;
  const { PORT } = parseVariables(settingsIn(typeof settings === 'string' ? settings : 'monitor.env'));
  return `http://127.0.0.1:${port ?? (variables.MONITOR_PORT || PORT || '9464')}/healthz`;
}

function textIfAny(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

if (import.meta.main) {
  // The command line of the container's first process. If this is an init process, its command line ends with the command line of the
  // program.
  const words = readFileSync('/proc/1/cmdline', 'utf8').split('\0');
  const address = healthAddress(words, process.env, textIfAny);
  const isWell =
    address === undefined ||
    (await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    ));
  process.exitCode = isWell ? 0 : 1;
}
