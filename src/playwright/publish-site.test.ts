import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownFolder, writeFiles } from '../testing/own-folder.ts';
import { publish, type SitePage, siteIndex } from './publish-site.ts';

const folder = ownFolder();
process.env.SEXTANT_OUTPUT = join(folder, 'results');
const site = join(folder, 'site');

function leave(environments: readonly string[], passed: number, history: string): void {
  const run = { seed: '1', commit: 'abcdef1234', selection: '', shard: null, startedAt: '2026-11-21T10:00:00.000Z' };
  const facts = Object.fromEntries(environments.map((name) => [name, {}]));
  writeFiles(join(folder, 'results'), {
    'run.json': { run, common: {}, environments: facts },
    'summary.json': { passed, failed: 0, unknown: 0, skipped: 2 },
    'report/index.html': `report of ${environments}`,
    'history.jsonl': history,
  });
}

test('without a report there is nothing to publish', () => {
  assert.throws(() => publish(site), /There is no report in .*results to publish/);
});

test('each environment has a page with its own history, and the first page lists all', () => {
  leave(['staging'], 3, 'a\n');
  publish(site);
  leave(['production'], 0, 'b\n');
  publish(site);
  leave(['staging'], 5, 'a\na2\n');
  assert.equal(publish(site), join(site, 'staging', 'index.html'));
  mkdirSync(join(site, 'of somebody else'));
  publish(site);
  const read = (...names: string[]) => readFileSync(join(site, ...names), 'utf8');
  assert.equal(read('staging', 'history.jsonl'), 'a\na2\n');
  assert.equal(read('production', 'history.jsonl'), 'b\n');
  assert.equal(read('production', 'index.html'), 'report of production');
  const rows = read('index.html').match(/<tr><td>.*<\/tr>/g) ?? [];
  const plain = rows.map((row) => row.replaceAll(/<[^>]+>/g, '|').replaceAll(/\|+/g, '|'));
  assert.deepEqual(plain, [
    '|production|❔ unknown|0|0|0|2|2026-11-21 10:00|abcdef12|',
    '|staging|✅ passed|5|0|0|2|2026-11-21 10:00|abcdef12|',
  ]);
  assert.deepEqual(readdirSync(site).sort(), ['index.html', 'of somebody else', 'production', 'staging']);
});

test('a run of two environments has a page for both', () => {
  leave(['staging', 'production'], 1, '');
  assert.equal(publish(site), join(site, 'production+staging', 'index.html'));
});

const page: SitePage = {
  ...{ folder: 'a b', environments: ['<x>'], startedAt: '2026-11-21T10:00:00.000Z', commit: null },
  ...{ passed: 1, failed: 0, unknown: 0, skipped: 0 },
};
const results: [counts: Partial<SitePage>, result: string][] = [
  [{}, '✅ passed'],
  [{ failed: 1, unknown: 1 }, '❌ failed'],
  [{ unknown: 1 }, '❔ unknown'],
  [{ passed: 0 }, '❔ unknown'],
  [{ status: 'interrupted' }, '❔ unknown'],
  [{ status: 'failed' }, '❔ unknown'],
  [{ status: 'failed', failed: 1 }, '❌ failed'],
];
for (const [counts, result] of results)
  test(`${JSON.stringify(counts)}: ${result}`, () =>
    assert.ok(siteIndex([{ ...page, ...counts }]).includes(`<td>${result}</td>`)));

test('names are escaped', () => {
  assert.ok(siteIndex([page]).includes('<a href="a%20b/index.html">&lt;x&gt;</a>'));
});
