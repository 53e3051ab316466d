import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Where a container can be asked whether it is well, by the words that it was started with; `undefined` for what runs and ends, as
 * `check` and `test` do: their exit code tells.
 */
export function healthAddress(words: readonly string[], variables: Variables): string | undefined {
  const options = { listen: { type: 'string' }, port: { type: 'string' } } as const;
  const { listen, port } = parseArgs({ args: [...words], options, strict: false, allowPositionals: true }).values;
  const portOf = (address: unknown) => /:(\d+)$/.exec(String(address))?.[1];
  if (words.includes('prober'))
    return `http://127.0.0.1:${portOf(listen ?? variables.PROBER_LISTEN) ?? '9465'}/healthz`;
  if (words.includes('monitor')) return `http://127.0.0.1:${port ?? variables.MONITOR_PORT ?? '9464'}/healthz`;
  return undefined;
}

if (import.meta.main) {
  // The container's first process, or an init with the same words behind it.
  const words = readFileSync('/proc/1/cmdline', 'utf8').split('\0');
  const address = healthAddress(words, process.env);
  const isWell =
    address === undefined ||
    (await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    ));
  process.exitCode = isWell ? 0 : 1;
}
