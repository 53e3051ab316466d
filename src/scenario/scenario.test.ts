import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateRequest } from '../../schemas/index.ts';
import { isMadeBySuite } from '../safety/index.ts';
import { inventedData, runSeed, scenarioSeed } from './data/test-data.ts';
import { Deferred } from './data/world-basis.ts';
import { readTags } from './specs/tags.ts';

test('the same seed makes the same data; another scenario, environment or repetition makes other data', () => {
  const make = (...parts: (string | number)[]) => inventedData(scenarioSeed('42', ...parts)).profile();
  assert.deepEqual(make('local', 'a', 0), make('local', 'a', 0));
  for (const other of [make('local', 'b', 0), make('staging', 'a', 0), make('local', 'a', 1)]) {
    assert.notDeepEqual(make('local', 'a', 0), other);
  }
});

test('a run without a seed gets one of its own', () => {
  assert.equal(runSeed('7'), '7');
  assert.notEqual(runSeed(''), runSeed(''));
});

test('everything that is made conforms to the documented schemas, and says who made it', () => {
  const data = inventedData(1);
  assert.deepEqual(validateRequest('avatar', data.avatar()), []);
  assert.deepEqual(validateRequest('profile', data.profile()), []);
  for (const text of [data.id(), data.text(), data.wrongCredential(), data.avatar().name])
    assert.ok(isMadeBySuite(text), text);
  assert.equal(new Set(Array.from({ length: 1_000 }, () => data.id())).size, 1_000);
});

test('what is made is modest: short names, the commonest codes', () => {
  const data = inventedData(1);
  const { name, items } = data.avatar();
  const { status = '', gender, ...profile } = data.profile();
  for (const text of [name, status, profile.name ?? '', data.text()]) assert.ok(text.length <= 15, text);
  for (const { type } of items) assert.equal(type, 1);
  assert.equal(gender, 1);
});

test('a version label is made in the form of the one that is known', () => {
  const data = inventedData(1);
  assert.match(data.version('1.0'), /^\d{3}\.\d{4}$/);
  assert.match(data.version('v2-beta'), /^v\d{7}-beta$/);
  assert.match(data.version('draft'), /^draft\d{7}$/);
});

test('an invented id has the form of the one that is known', () => {
  const data = inventedData(1);
  const rows: [example: string, form: RegExp][] = [
    ['user-ada', /^sextant-/],
    ['7', /^21\d{8}$/],
    ['9007199254740991', /^sextant-/],
    ['6f1c2b1e-0000-4000-8000-000000000001', /^[0-9a-f-]{36}$/],
    ['5f43a1b2c3d4e5f6a7b8c9d0', /^[0-9a-f]{24}$/],
  ];
  for (const [example, form] of rows) {
    const id = data.idLike(example);
    assert.match(id, form);
    assert.ok(data.isInvented(id), example);
  }
});

test('tags are an area and an effect, and more of a team’s own', () => {
  const rows: [tags: string[], area: string, effect: string][] = [
    [['@friends', '@read'], 'friends', 'read'],
    [['@all', '@irreversible', '@nightly'], 'all', 'irreversible'],
    [['@profile', '@overwriting', '@restorable'], 'profile', 'overwriting'],
  ];
  for (const [tags, area, effect] of rows) assert.deepEqual(readTags('a title', tags), { area, effect });
});

test('clean-up runs the last declared first, all of it, and reports what went wrong', async () => {
  const deferred = new Deferred();
  const ran: string[] = [];
  deferred.defer(() => ran.push('first'));
  deferred.defer(() => Promise.reject(new Error('stuck')));
  deferred.defer(() => ran.push('last'));
  const errors = await deferred.run();
  assert.deepEqual(ran, ['last', 'first']);
  assert.deepEqual(errors.map(String), ['Error: stuck']);
  assert.deepEqual(await deferred.run(), []);
});

test('an avatar wears what the environment names, and a design of its own', () => {
  const given = { avatarItemIds: ['hat-1', '7'], avatarDesignId: 'red' };
  const avatar = inventedData(1, undefined, given).avatar();
  assert.deepEqual(avatar.items.map(({ itemId }) => itemId).sort(), ['7', 'hat-1']);
  assert.equal(avatar.items[0]?.designId, 'red');
  assert.equal(avatar.includes, '7');
  assert.deepEqual(validateRequest('avatar', avatar), []);
});
