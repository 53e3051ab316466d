import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import { parts } from './generated-parts.ts';

/** `text` with its part `name` replaced. */
export function withPart(text: string, name: string, part: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no ${start} … ${end}`);
  return `${text.slice(0, from)}${start}\n${part}\n${text.slice(to)}`;
}

if (import.meta.main) {
  const write = process.argv.includes('--write');
  for (const { page, name, make } of parts) {
    const path = join(projectRoot, page);
    const current = readFileSync(path, 'utf8');
    const wanted = withPart(current, name, make());
    if (write) writeFileSync(path, wanted);
    else if (current !== wanted) {
      process.stderr.write(`${page}: the generated part "${name}" is out of date; run \`npm run pages\`.\n`);
      process.exitCode = 1;
    }
  }
}
