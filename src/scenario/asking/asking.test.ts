import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Session } from '../../call/index.ts';
import type { Exchange } from '../../http/index.ts';
import { lookOf, looksLike, saysTheSame } from '../../questions/asker/reaction.ts';
import type { CallableId } from '../../service/index.ts';
import { SuiteFault } from '../../verdict/index.ts';
import { pendingUndos } from './survey-undo.ts';

const look = (sent: unknown, answer: unknown) =>
  lookOf({
    request: { url: 'http://x/', body: JSON.stringify(sent) },
    response: { body: { text: JSON.stringify(answer), json: { ok: true, value: answer } } },
  } as Exchange);

const accepted = look({ key: 'flag-1', default: 'fallback' }, { code: 0, value: 'fallback', data: {} });
const byKey = look({ key: 'flag-1', default: 'fallback' }, { 'flag-1': 'fallback' });

const rows: [what: string, a: typeof accepted, b: typeof accepted, isLike: boolean][] = [
  ['the same fields', accepted, look({}, { code: 1, value: 'x', data: {} }), true],
  ['a field that repeated the request is missing', accepted, look({}, { code: 0, data: {} }), true],
  ['it repeats a number', accepted, look({ default: 12_345 }, { code: 0, value: 12_345, data: {} }), true],
  ['a field that did not repeat it is missing', accepted, look({}, { code: 0, value: 'x' }), false],
  ['a field is null', accepted, look({}, { code: 40_001, value: 'x', data: null }), false],
  ['a further field', accepted, look({}, { code: 0, value: 'x', data: {}, error: 'no' }), false],
  ['a name out of the request', byKey, look({ key: 'flag-2', default: 'other' }, { 'flag-2': 'other' }), true],
  ['another name', byKey, look({ key: 'flag-2', default: 'other' }, { error: 'wrong' }), false],
  ['a field that is sent', look({ value: 'sent' }, { value: 'a', b: 1 }), look({}, { value: 'b', b: 1 }), true],
  ['a bare value', look({ default: 'fallback' }, 'fallback'), look({}, null), true],
  ['a record instead of a bare value', look({ default: 'fallback' }, 'fallback'), look({}, { error: 1 }), false],
];

for (const [what, a, b, isLike] of rows)
  test(`${what}: ${isLike ? 'one kind' : 'another kind'} of response`, () => assert.equal(looksLike(a, b), isLike));

const fallback = { language: 'qx', at: 1, list: [{ label: '(QX) rate it' }] };
const later = { ...fallback, at: 2 };

const sayings: [what: string, value: unknown, language: string, isSame: boolean][] = [
  ['the same at another time', { language: 'de', at: 3, list: [{ label: '(DE) rate it' }] }, 'de', true],
  ['the language is a word of the text', { language: 'it', at: 3, list: [{ label: '(IT) rate it' }] }, 'it', true],
  ['another text', { language: 'de', at: 3, list: [{ label: '(DE) melden' }] }, 'de', false],
  ['the fallback without its name', { language: 'en', at: 3, list: [{ label: '(EN) rate it' }, {}] }, 'en', false],
  ['nothing of it', [], 'en', false],
];

for (const [what, value, language, isSame] of sayings)
  test(`${what}: ${isSame ? 'the same' : 'something else'}`, () =>
    assert.equal(saysTheSame(value, [fallback, later], { from: 'qx', to: language }), isSame));

test('two refusals that differ in their time alone are one; another code is another', () => {
  const pair = [
    { code: 404, at: 1 },
    { code: 404, at: 2 },
  ] as const;
  assert.ok(saysTheSame({ code: 404, at: 3 }, pair));
  assert.ok(!saysTheSame({ code: 401, at: 3 }, pair));
  const inOneMoment = [{ at: '2026-01-01T10:00:00.000Z' }, { at: '2026-01-01T10:00:00.000Z' }] as const;
  assert.ok(saysTheSame({ at: '2026-01-01T10:00:00.001Z' }, inOneMoment));
});

const session = { caller: { userId: 'ada' } } as Session;
const by = { session, changes: new Map() };

type Given = { readonly operation: CallableId; readonly args: unknown };
const answers = (statusOf: (given: Given) => number) => {
  const sent: string[] = [];
  const send = async (given: Given) => {
    sent.push(`${given.operation} ${JSON.stringify(given.args)}`);
    return { response: { status: statusOf(given) } } as Exchange;
  };
  return { sent, send };
};
const of = (operation: CallableId) => ({ operation }) as Exchange;

test('changes are taken back once, the last one first; what was refused or taken back before is not', async () => {
  const undos = pendingUndos();
  undos.note(of('block'), { friendId: 'a' }, by, 'accepted');
  undos.note(of('love'), { storyId: 's' }, by, 'unclear');
  undos.note(of('block'), { friendId: 'b' }, by, 'refused');
  undos.note(of('block'), { friendId: 'c' }, by, 'accepted');
  undos.note(of('unblock'), { friendId: 'c' }, by, 'accepted');
  assert.ok(undos.has('unblock', { friendId: 'a' }, session));
  const { sent, send } = answers(() => 200);
  await undos.undoAll(send);
  assert.deepEqual(sent, ['unlove {"storyId":"s"}', 'unblock {"friendId":"a"}']);
  await undos.undoAll(send);
  assert.equal(sent.length, 2);
});

test('an undo that fails, or is not sent, keeps no other one from being sent', async () => {
  const undos = pendingUndos();
  undos.note(of('love'), { storyId: 's' }, by, 'accepted');
  undos.note(of('block'), { friendId: 'a' }, by, 'accepted');
  const failing = answers(({ operation }) => {
    if (operation === 'unblock') throw new SuiteFault('not tried');
    return 500;
  });
  await undos.undoAll(failing.send);
  assert.deepEqual(failing.sent, ['unblock {"friendId":"a"}', 'unlove {"storyId":"s"}']);
});
