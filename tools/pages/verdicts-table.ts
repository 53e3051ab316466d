import { type Verdict, verdicts } from '../../src/client/index.ts';

/** The table of verdicts in `docs/check.md`, made of the table that everything is derived from. */
export function verdictsTable(): string {
  const rows = (Object.keys(verdicts) as Verdict[]).map((name) => {
    const { exitCode, health, meaning } = verdicts[name];
    return `| \`${name}\` | ${exitCode} | ${health} | ${meaning} |`;
  });
  return ['| verdict | exit | service | means |', '|---|---|---|---|', ...rows].join('\n');
}
