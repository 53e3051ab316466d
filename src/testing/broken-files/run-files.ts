import { chmodSync } from 'node:fs';
import { redsOf } from '../../cli/output/likely-cause-lines.ts';
import { type Environment, loadEnvironment } from '../../config/index.ts';
import { committedMatrix } from '../../drill/matrix.ts';
import { HistoryDatabase } from '../../monitor/index.ts';
import { publish, readParts } from '../../reporting/index.ts';
import { recall } from '../../scenario/data/memory.ts';
import { claimItem } from '../../scenario/data/stored-items.ts';
import { assertOutputFolder, consentTo, takeOutputLock } from '../../scenario/index.ts';
import { thisProcess } from '../../scenario/journal/owner.ts';
import { runLog } from '../../scenario/state/run-log.ts';
import { ended, runInProcess } from '../programs/run-in-process.ts';
import { content, dispensable, type OpenedIn, readOnly, type Setting } from './opened-file.ts';

const RUN = { seed: '1', commit: null, selection: '', shard: null, startedAt: '', status: 'passed', errors: 0 };
const replaced = ['missing', ...content];
const madeAnew = ['missing', 'empty', 'half'];

/** Files of runs: their state, their results, and scratch files; of shards, the monitor, the reference service and the drill. */
export function runFiles({ at }: Setting) {
  const undo = () => runInProcess(['undo', '--env', 'my']);
  const check = (...args: string[]) => runInProcess(['check', '--env', 'my', '--scenario', '*flag*', ...args]);
  const remote = () => ({ ...loadEnvironment('my'), name: 'remote', isLoopback: false }) as Environment;
  const left = '{"owner":"nobody","environment":"my","run":"r"}\n';
  const journal = { 'state/journal/my/a.jsonl': left };
  const owner = JSON.stringify({ ...thisProcess(), began: 'another boot' });
  const refuseTwice = () => {
    const log = runLog('run', 'my', 'refused');
    const { length } = log.all();
    log.add({ credential: 'token of ada', refused: '401 to block' });
    if (log.all().length !== length + 1) throw new Error('a refusal was lost');
  };
  const monitor = () =>
    runInProcess(['monitor', '--env', 'my', '--port', '0', '--data', at('data')], { stopAt: /Press Ctrl-C/ });
  const history = 'data/history.sqlite';
  const newHistory = () => {
    new HistoryDatabase(at(history)).close();
    // Any user may write it.
    chmodSync(at(history), 0o666);
  };
  return {
    state: { path: 'state', run: () => check(), fine: ['missing'] },
    journal: [
      { path: 'state/journal/my/a.jsonl', holds: left, run: undo, fine: madeAnew },
      {
        name: 'the folder of the undo journal',
        path: 'state/journal/my',
        beside: journal,
        run: undo,
        fine: ['missing'],
      },
    ],
    lockFile: [
      {
        name: 'the lock of the undo journal',
        path: 'state/journal/my/undo.lock',
        holds: owner,
        beside: journal,
        run: undo,
        fine: ['missing'],
      },
      {
        name: 'the lock of the results',
        path: 'output/run.lock',
        holds: owner,
        run: ended(async () => (await takeOutputLock({ say: () => {} }))()),
        fine: ['missing'],
      },
    ],
    accepted: {
      path: 'state/accepted/my.jsonl',
      holds: '["a",{"turnedAt":1}]\n',
      run: ended(() => recall(loadEnvironment('my'), { operation: 'love', of: [] })),
      // Only a message is poorer without it.
      fine: [...dispensable, ...content, 'a folder'],
    },
    consents: {
      path: 'state/consents.json',
      holds: '{"other":"x"}',
      run: ended(() => consentTo(remote(), { yes: true, output: { write: () => true } as never })),
      fine: replaced,
    },
    usedItems: {
      path: 'state/used-items/my',
      run: ended(() => claimItem('my', ['item-1'])?.release()),
      fine: ['missing'],
    },
    output: [
      { path: 'output', run: ended(() => assertOutputFolder()), fine: ['missing'] },
      {
        name: 'the history of reports',
        path: 'output/history.jsonl',
        holds: '{}\n',
        run: ended(() => assertOutputFolder()),
        fine: replaced,
      },
      {
        name: 'the outcomes of a run',
        path: 'output/outcomes.json',
        holds: '[]',
        run: ended(() => redsOf(at('output/outcomes.json'))),
        fine: [...replaced, ...readOnly],
      },
      // Counted in memory where it can't be shared.
      { name: 'the refusals that processes share', path: 'output/runs', run: ended(refuseTwice), fine: dispensable },
    ],
    page: {
      path: 'work/summary.md',
      holds: '# an earlier one',
      run: () => check('--summary', at('work/summary.md')),
      fine: replaced,
    },
    junit: {
      path: 'work/junit.xml',
      holds: '<testsuites/>',
      run: () => check('--junit', at('work/junit.xml')),
      fine: replaced,
    },
    scratch: {
      path: 'scratch',
      run: () => runInProcess(['environments', 'check', 'my']),
      fine: ['on a full disk'],
      // Node doesn't look at TMPDIR for a process that changed its user.
      untriedByRoot: ['unreadable', 'in a read-only folder'],
    },
    exported: {
      path: 'work/my.http',
      holds: '# earlier\n',
      run: () => runInProcess(['export', '--env', 'my', '--format', 'http', '--output', at('work')]),
      fine: ['unreadable', ...replaced],
    },
    shard: {
      path: 'work/run.json',
      holds: JSON.stringify({ run: RUN, common: {}, environments: {} }),
      beside: { 'work/outcomes.json': '[]' },
      run: ended(() => readParts([at('work')])),
      fine: readOnly,
    },
    site: {
      path: 'work/site',
      beside: {
        'output/run.json': { run: RUN, common: {}, environments: { my: {} } },
        'output/summary.json': '{}',
        'output/report/index.html': 'a report',
      },
      run: ended(() => publish(at('work/site'))),
      fine: ['missing'],
    },
    data: { path: 'data', run: monitor, fine: ['missing'] },
    lock: { path: 'data/lock.sqlite', holds: '', run: monitor, fine: madeAnew },
    history: [
      { path: history, holds: newHistory, run: monitor, fine: ['missing'] },
      {
        name: 'the history that is exported',
        path: history,
        holds: newHistory,
        run: () => runInProcess(['history', 'export', '--data', at('data')]),
        fine: [],
      },
    ],
    serviceState: {
      path: 'work/state.db',
      holds: '',
      run: () => runInProcess(['serve', '--port', '0', '--data', at('work/state.db')], { stopAt: /Ctrl-C/ }),
      fine: madeAnew,
    },
    source: {
      path: 'work/package.json',
      holds: '{}',
      // A file that is there stands for the package.
      run: () => runInProcess(['init', at('work'), '--package', process.execPath]),
      fine: ['missing'],
    },
    matrix: {
      path: 'work/matrix.json',
      holds: '{"faults":[]}',
      run: ended(() => committedMatrix(at('work/matrix.json'))),
      fine: ['missing', ...readOnly],
    },
  } satisfies Partial<OpenedIn>;
}
