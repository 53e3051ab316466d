import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from '../../reference-service/index.ts';
import { argumentForms } from '../questions/index.ts';
import { spreadTasks } from './drill.ts';
import { dimensions, pairwise, rowFor, spread } from './readings.ts';

test('every fault that a first run can catch is drilled on more than one combination, each beside the readings alone', () => {
  const tasks = spreadTasks({ faults });
  const alone = new Set(tasks.filter(({ change }) => change === undefined).map(({ row }) => row));
  for (const { name, survives, breaksFact } of faults) {
    const rows = tasks.filter(({ change }) => change === name).map(({ row }) => row);
    assert.equal(new Set(rows).size, survives || breaksFact ? 0 : 2, name);
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
      .filter(({ change }) => ofKind.some(({ name }) => name === change))
      .map(({ change, row }) =>
        rowFor(
          ofKind.find(({ name }) => name === change),
          spread[row] ?? {},
        ),
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

test('what hides a fault, and every form of arguments, is a question that the reference service can answer in several ways', () => {
  const named = [...faults.flatMap(({ hiddenBy = [] }) => hiddenBy), ...argumentForms.map(({ question }) => question)];
  for (const question of named) assert.ok((dimensions[question]?.length ?? 0) > 1, question);
  // Leaves out the forms that end in `-shown`: they need a service with a catalogue of items that a profile shows, and the reference
  // service has no catalogue.
  const ofService = (form: string) => !form.endsWith('-shown');
  for (const { question, forms } of argumentForms)
    assert.deepEqual(dimensions[question]?.toSorted(), Object.keys(forms).filter(ofService).sort());
});

const few = { a: ['1', '2', '3'], b: ['x', 'y'], c: ['p', 'q', 'r', 's'], d: ['0', '1'] };

test('every two choices stand together in some row', () => {
  const rows = pairwise(few);
  const names = Object.keys(few) as (keyof typeof few)[];
  for (const a of names)
    for (const b of names.filter((other) => other > a))
      for (const x of few[a])
        for (const y of few[b])
          assert.ok(
            rows.some((row) => row[a] === x && row[b] === y),
            `${a}=${x} ${b}=${y}`,
          );
});

test('it takes far fewer rows than there are combinations, and begins with the first choices', () => {
  const rows = pairwise(few);
  assert.deepEqual(rows[0], { a: '1', b: 'x', c: 'p', d: '0' });
  assert.ok(rows.length <= 16, `${rows.length} rows`);
});
