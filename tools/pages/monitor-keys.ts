import { channelTypes, settingKeys } from '../../src/monitor/index.ts';

interface Row {
  readonly meaning: string;
  readonly fallback?: string;
  readonly required?: boolean;
}

/** The table of settings in `docs/monitoring.md`. */
export function monitorKeysTable(): string {
  return table(settingKeys);
}

/** The table of channels in `docs/monitoring.md`. */
export function channelsTable(): string {
  const rows = Object.entries(channelTypes).flatMap(([name, { keys }]) =>
    Object.entries<Row>(keys).map(([key, row]) => `| ${name} | ${cells(key, row)} |`),
  );
  return ['| channel | key | meaning | when absent |', '|---|---|---|---|', ...rows].join('\n');
}

function table(keys: Readonly<Record<string, Row>>): string {
  const rows = Object.entries(keys).map(([key, row]) => `| ${cells(key, row)} |`);
  return ['| key | meaning | when absent |', '|---|---|---|', ...rows].join('\n');
}

function cells(key: string, { meaning, fallback, required }: Row): string {
  const absent = required ? 'the channel is off' : fallback === undefined ? '–' : `\`${fallback}\``;
  return `\`${key}\` | ${meaning.replaceAll('|', '\\|')} | ${absent}`;
}
