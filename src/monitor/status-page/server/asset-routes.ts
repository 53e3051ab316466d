import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from '../../../serving/index.ts';

const assets: Readonly<Record<string, string>> = {
  'page.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'follow.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** What the pages are made with, read once. */
export function assetRoutes(): Route[] {
  return Object.entries(assets).map(([name, type]) => {
    const content = readFileSync(join(import.meta.dirname, '..', 'assets', name));
    const path = new RegExp(`^/assets/${name.replace('.', '\\.')}$`);
    return { method: 'GET', path, reply: () => ({ headers: { 'content-type': type }, body: content }) };
  });
}
