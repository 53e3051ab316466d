import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { observedFolder } from '../../environment/index.ts';
import { stateFolder } from '../../safety/index.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { keepEarlierRun, outputFiles, outputFolder } from './output-folders.ts';
import { runLog } from './run-log.ts';

const folder = ownFolder();
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
});

/** A run that ended in a distinct minute. */
function leaveRun(minute: number): void {
  const { allureResults, report, summary, junit, history } = outputFiles(folder);
  for (const path of [allureResults, report]) mkdirSync(path, { recursive: true });
  writeFileSync(join(allureResults, 'a.json'), '');
  writeFileSync(join(report, 'index.html'), `run ${minute}`);
  for (const path of [summary, junit, history]) writeFileSync(path, String(minute));
  const ended = new Date(Date.UTC(2026, 0, 1, 0, minute));
  utimesSync(summary, ended, ended);
}

test('the last run makes room for the next one and can still be opened; history stays where it is', () => {
  leaveRun(7);
  keepEarlierRun(folder);
  assert.deepEqual(readdirSync(folder).sort(), ['earlier', 'history.jsonl']);
  const own = join(folder, 'earlier', '2026-01-01T00-07-00.000Z');
  assert.deepEqual(readdirSync(own).sort(), ['junit.xml', 'report', 'summary.json']);
  assert.equal(readFileSync(join(own, 'report', 'index.html'), 'utf8'), 'run 7');
});

test('the oldest of many runs go', () => {
  for (let minute = 0; minute < 8; minute++) {
    leaveRun(minute);
    keepEarlierRun(folder);
  }
  const kept = readdirSync(join(folder, 'earlier'));
  assert.deepEqual([kept.length, kept.sort()[0]], [5, '2026-01-01T00-03-00.000Z']);
});

test('a run that was cut off before its summary leaves nothing to keep', () => {
  leaveRun(1);
  rmSync(outputFiles(folder).summary);
  keepEarlierRun(folder);
  assert.deepEqual(readdirSync(folder), ['history.jsonl']);
});

test('a folder that is set to nothing is the usual one, as where it is not set', () => {
  const nothing = { SEXTANT_OUTPUT: '', SEXTANT_STATE: '' };
  assert.deepEqual([outputFolder(nothing), stateFolder(nothing)], [outputFolder({}), stateFolder({})]);
  assert.equal(observedFolder('qa', { SEXTANT_OBSERVED: '' }), observedFolder('qa', {}));
});

test('the processes of a run share its entries', () => {
  process.env.SEXTANT_OUTPUT = join(folder, 'output');
  runLog('run', 'qa', 'kind').add(1);
  runLog('run', 'qa', 'kind').add(2);
  assert.deepEqual(runLog('run', 'qa', 'kind').all(), [1, 2]);
  assert.deepEqual(runLog('other', 'qa', 'kind').all(), []);
});

test('where nothing can be written, a process keeps its own', () => {
  writeFileSync(join(folder, 'file'), '');
  process.env.SEXTANT_OUTPUT = join(folder, 'file', 'output');
  runLog('run', 'qa', 'kind').add(3);
  assert.deepEqual(runLog('run', 'qa', 'kind').all(), [3]);
  assert.deepEqual(runLog('run', 'qa', 'another').all(), []);
});
