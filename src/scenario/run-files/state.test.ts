import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { observedFolder } from '../../environment/index.ts';
import { stateFolder } from '../../safety/index.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { clearResults, mendHistory, outputFiles, outputFolder } from './output-folders.ts';
import { runLog } from './run-log.ts';

const folder = ownFolder();
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
});

test('the last run makes room for the next one; the history stays', () => {
  const { allureResults, report, summary, junit, history } = outputFiles(folder);
  for (const path of [allureResults, report]) mkdirSync(path);
  for (const path of [join(report, 'index.html'), summary, junit, history]) writeFileSync(path, 'x');
  clearResults(folder);
  assert.deepEqual(readdirSync(folder), ['history.jsonl']);
});

const run = '{"uuid":"1","testResults":{}}';
const histories: [name: string, text: string, lost: number, mended: string][] = [
  ['nothing', '', 0, ''],
  ['whole lines', `${run}\n${run}\n`, 0, `${run}\n${run}\n`],
  ['a last line that was cut', `${run}\n${run.slice(0, 20)}`, 1, `${run}\n`],
  ['a cut line that the next run was appended to', `${run.slice(0, 9)}${run}\n${run}\n`, 1, `${run}\n`],
  ['a line that lacks its end alone', run, 0, `${run}\n`],
  ['labels', '{"testResults":{"1":{"id":"2","labels":[]}}}\n', 0, '{"testResults":{"1":{"id":"2"}}}\n'],
  ['something else', 'null\n5\nno JSON\n', 3, ''],
];
for (const [name, text, lost, mended] of histories)
  test(`a history of ${name}`, () => {
    const { history } = outputFiles(folder);
    writeFileSync(history, text);
    assert.equal(mendHistory(folder), lost);
    assert.equal(readFileSync(history, 'utf8'), mended);
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
