import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { interruptible } from './terminal.ts';

/** Presses Ctrl-C at these moments, in ms. Returns for each moment how often `process.exit` had been called by then. */
function exitsAfter(t: TestContext, moments: readonly number[]): number[] {
  const exit = t.mock.method(process, 'exit', (() => {}) as unknown as typeof process.exit);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;
  const earlier = new Map(names.map((name) => [name, process.listeners(name)]));
  const signal = interruptible();
  try {
    let now = 0;
    return moments.map((moment) => {
      t.mock.timers.tick(moment - now);
      now = moment;
      process.emit('SIGINT');
      assert.ok(signal.aborted);
      return exit.mock.callCount();
    });
  } finally {
    for (const name of names)
      for (const listener of process.listeners(name))
        if (!earlier.get(name)?.includes(listener)) process.off(name, listener);
    assert.ok(exit.mock.calls.every(({ arguments: [code] }) => code === 130));
  }
}

const rows: [what: string, moments: readonly number[], exits: readonly number[]][] = [
  ['one Ctrl-C ends the work cleanly', [0], [0]],
  ['a second one exits at once', [0, 1_500], [0, 1]],
  ['the same one, handed on by what started the program, changes nothing', [0, 20], [0, 0]],
  ['neither keeps the next one from being the second', [0, 20, 1_500], [0, 0, 1]],
];

for (const [what, moments, exits] of rows)
  test(what, (t) => {
    assert.deepEqual(exitsAfter(t, moments), exits);
  });
