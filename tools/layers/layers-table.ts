import { layers } from './allowed.ts';

/** The table of layers in `ARCHITECTURE.md`. */
export function layersTable(): string {
  const rows = Object.entries(layers).map(([name, { holds, mayImport }]) => {
    const allowed =
      mayImport === 'everything' ? 'everything' : mayImport.map((each) => each.replace(/\/$/, '')).join(', ');
    return `| \`${name}\` | ${holds} | ${allowed || '–'} |`;
  });
  return ['| folder | holds | may import |', '|---|---|---|', ...rows].join('\n');
}
