import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A result that allure-playwright wrote, and the addresses of its exchanges. */
interface ResultFile {
  readonly name: string;
  readonly status: string;
  readonly historyId: string;
  readonly labels: readonly { readonly name: string; readonly value: string }[];
  readonly urls: readonly string[];
}

/** The results in a folder of Allure. */
export function allureResults(folder: string): ResultFile[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('-result.json'));
  return files.map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const exchanges = text.match(/[\w-]+\.httpexchange/g) ?? [];
    const urls = exchanges.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).request.url as string);
    return { ...(JSON.parse(text) as Omit<ResultFile, 'urls'>), urls };
  });
}
