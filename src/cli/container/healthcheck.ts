import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseVariables } from '../../environment/files/parse-variables.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Where a container can be asked whether it is well, by the words that it was started with; `undefined` for what runs and ends, as
 * `check` and `test` do: their exit code shows their health. `settingsIn` reads a file of settings, and returns nothing without a file.
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
  // The container's first process, or an init with the same words behind it.
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
