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

/** The page of a part as it is, and as it would be made now. */
function made({ page, name, make }: (typeof parts)[number]) {
  const path = join(projectRoot, page);
  const text = readFileSync(path, 'utf8');
  return { page, name, path, text, wanted: withPart(text, name, make()) };
}

export function pageComplaints(): string[] {
  const outdated = parts.map(made).filter(({ text, wanted }) => text !== wanted);
  return outdated.map(
    ({ page, name }) => `${page}: the generated part "${name}" is out of date; run \`npm run pages\`.`,
  );
}

if (import.meta.main)
  for (const part of parts) {
    const { path, wanted } = made(part);
    writeFileSync(path, wanted);
  }
