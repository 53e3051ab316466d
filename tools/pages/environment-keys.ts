import { keys, secretKeys } from '../../src/config/index.ts';

/** The table of keys in `docs/environments.md`. */
export function keysTable(): string {
  const rows = Object.entries(keys).map(([key, entry]) => {
    const fallback = 'fallback' in entry ? entry.fallback : undefined;
    const absent = entry.required
      ? 'required'
      : fallback === undefined
        ? '–'
        : fallback === ''
          ? 'none'
          : `\`${fallback}\``;
    return `| \`${key}\` | ${entry.meaning.replaceAll('|', '\\|')} | ${absent} |`;
  });
  const secrets = Object.entries(secretKeys).map(([key, meaning]) => `| \`${key}\` | ${meaning} | secret |`);
  return ['| key | meaning | when absent |', '|---|---|---|', ...rows, ...secrets].join('\n');
}
