import { redsOf } from '../../cli/output/likely-cause-lines.ts';
import { type Environment, loadEnvironment } from '../../config/index.ts';
import { recall } from '../../scenario/data/memory.ts';
import { claimItem } from '../../scenario/data/stored-items.ts';
import { assertOutputFolder, consentTo, takeOutputLock } from '../../scenario/index.ts';
import { thisProcess } from '../../scenario/journal/owner.ts';
import { runLog } from '../../scenario/state/run-log.ts';
import { ended, runInProcess } from '../programs/run-in-process.ts';
import { content, dispensable, type OpenedIn, readOnly, type Setting } from './opened-file.ts';

/** Files of runs: their state, their results, and scratch files. */
export function stateFiles({ at }: Setting) {
  const undo = () => runInProcess(['undo', '--env', 'my']);
  const check = (...args: string[]) => runInProcess(['check', '--env', 'my', '--scenario', '*flag*', ...args]);
  const remote = () => ({ ...loadEnvironment('my'), name: 'remote', isLoopback: false }) as Environment;
  const journal = at('state', 'journal', 'my', 'a.jsonl');
  const left = '{"owner":"nobody","environment":"my","run":"r"}\n';
  const owner = () => JSON.stringify({ ...thisProcess(), began: 'another boot' });
  return {
    state: { path: at('state'), run: () => check(), fine: ['missing'] },
    journal: [
      { path: journal, holds: left, run: undo, fine: ['missing', 'empty', 'half'] },
      {
        name: 'the folder of the undo journal',
        path: at('state', 'journal', 'my'),
        beside: { [journal]: left },
        run: undo,
        fine: ['missing'],
      },
    ],
    lockFile: [
      {
        name: 'the lock of the undo journal',
        path: at('state', 'journal', 'my', 'undo.lock'),
        holds: owner(),
        beside: { [journal]: left },
        run: undo,
        fine: ['missing'],
      },
      {
        name: 'the lock of the results',
        path: at('output', 'run.lock'),
        holds: owner(),
        run: ended(async () => (await takeOutputLock({ say: () => {} }))()),
        fine: ['missing'],
      },
    ],
    accepted: {
      path: at('state', 'accepted', 'my.jsonl'),
      holds: '["a",{"turnedAt":1}]\n',
      run: ended(() => recall(loadEnvironment('my'), { operation: 'love', of: [] })),
      // Only a message is poorer without it.
      fine: [...dispensable, ...content, 'a folder'],
    },
    consents: {
      path: at('state', 'consents.json'),
      holds: '{"other":"x"}',
      run: ended(() => consentTo(remote(), { yes: true, output: { write: () => true } as never })),
      fine: ['missing', ...content],
    },
    usedItems: {
      path: at('state', 'used-items', 'my'),
      run: ended(() => claimItem('my', ['item-1'])?.release()),
      fine: ['missing'],
    },
    output: [
      { path: at('output'), run: ended(() => assertOutputFolder()), fine: ['missing'] },
      {
        name: 'the history of reports',
        path: at('output', 'history.jsonl'),
        holds: '{}\n',
        run: ended(() => assertOutputFolder()),
        fine: ['missing', ...content],
      },
      {
        name: 'the outcomes of a run',
        path: at('output', 'outcomes.json'),
        holds: '[]',
        run: ended(() => redsOf(at('output', 'outcomes.json'))),
        fine: ['missing', ...content, ...readOnly],
      },
      {
        name: 'the refusals that processes share',
        path: at('output', 'runs'),
        run: ended(() => {
          const log = runLog('run', 'my', 'refused');
          const { length } = log.all();
          log.add({ credential: 'token of ada', refused: '401 to block' });
          if (log.all().length !== length + 1) throw new Error('a refusal was lost');
        }),
        // Counted in memory where it can't be shared.
        fine: dispensable,
      },
    ],
    page: {
      path: at('work', 'summary.md'),
      holds: '# an earlier one',
      run: () => check('--summary', at('work', 'summary.md')),
      fine: ['missing', ...content],
    },
    junit: {
      path: at('work', 'junit.xml'),
      holds: '<testsuites/>',
      run: () => check('--junit', at('work', 'junit.xml')),
      fine: ['missing', ...content],
    },
    scratch: {
      path: at('scratch'),
      run: () => runInProcess(['environments', 'check', 'my']),
      fine: ['on a full disk'],
      // Node doesn't look at TMPDIR for a process that changed its user.
      untriedByRoot: ['unreadable', 'in a read-only folder'],
    },
  } satisfies Partial<OpenedIn>;
}
