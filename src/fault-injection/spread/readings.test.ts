import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from '../../../reference-service/index.ts';
import { openQuestions, questionIds } from '../../spec/index.ts';
import { spreadTasks } from './drill-spread.ts';
import { dimensions, rowFor, spread } from './readings.ts';

test('every reading of every open question is drilled', () => {
  for (const question of questionIds) {
    for (const reading of Object.keys(openQuestions[question].readings))
      assert.ok(
        spread.some((row) => row[question] === reading),
        `${question}=${reading}`,
      );
  }
});

test('every fault that a first run can catch is drilled on more than one combination, each beside the readings alone', () => {
  const tasks = spreadTasks({ faults });
  const alone = new Set(tasks.filter(({ fault }) => !fault).map(({ row }) => row));
  for (const { name, survives, driftsAfter } of faults) {
    const rows = tasks.filter(({ fault }) => fault === name).map(({ row }) => row);
    assert.equal(new Set(rows).size, survives || driftsAfter ? 0 : 2, name);
    assert.ok(
      rows.every((row) => alone.has(row)),
      name,
    );
  }
});

test('every kind of fault meets nearly every reading', () => {
  const tasks = spreadTasks({ faults });
  for (const kind of new Set(faults.map((fault) => fault.kind))) {
    const ofKind = faults.filter((fault) => fault.kind === kind);
    const rows = tasks
      .filter(({ fault }) => ofKind.some(({ name }) => name === fault))
      .map(({ fault, row }) =>
        rowFor(ofKind.find(({ name }) => name === fault) ?? (ofKind[0] as (typeof faults)[0]), spread[row] ?? {}),
      );
    const met = Object.entries(dimensions).flatMap(([question, readings]) =>
      readings.filter((reading) => rows.some((row) => row[question] === reading)),
    );
    const all = Object.values(dimensions).flat();
    assert.ok(met.length >= all.length * 0.7, `${kind} meets ${met.length} of ${all.length}`);
  }
});

test('a reading under which a fault is none gives way to the plain one', () => {
  const [row = {}] = spread.filter(({ headerWrong, errorForm }) => headerWrong === 'accepted' && errorForm !== 'json');
  const ofIds = faults.find(({ kind, unchecked }) => kind === 'auth' && unchecked?.includes('mm-user-id'));
  const ofRefusals = faults.find(({ kind, respond }) => kind === 'input' && respond);
  assert.ok(ofIds && ofRefusals);
  assert.equal(rowFor(ofIds, row)['headerWrong'], 'refused');
  assert.equal(rowFor(ofRefusals, row)['errorForm'], 'json');
});
