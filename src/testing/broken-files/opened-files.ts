import { chmodSync } from 'node:fs';
import { type Environment, loadEnvironment } from '../../config/index.ts';
import { committedMatrix } from '../../drill/matrix.ts';
import { consentTo } from '../../engine/safety/index.ts';
import { HistoryDatabase } from '../../monitor/index.ts';
import { recall } from '../../scenario/data/memory.ts';
import { assertOutputFolder, takeOutputLock } from '../../scenario/index.ts';
import { ended, runInProcess } from '../programs/run-in-process.ts';
import { content, dispensable, type OpenedIn, readOnly, type Setting } from './opened-file.ts';

const optional = ['missing', ...readOnly];
const replaced = ['missing', ...content];
const madeAnew = ['missing', 'empty', 'half'];

/** Files of each kind, and a run that opens each. */
export function openedFiles({ at, environmentText }: Setting): OpenedIn {
  const openapi = () => runInProcess(['openapi', '--env', 'my']);
  const check = (...args: string[]) => runInProcess(['check', '--env', 'my', '--scenario', '*flag*', ...args]);
  const undo = () => runInProcess(['undo', '--env', 'my']);
  const imported = 'work/import.env';
  const importing = {
    run: () => runInProcess(['environments', 'import', at(imported), '--name', 'new', '--force']),
    // The imported keys alone don't make an environment.
    code: 1,
  };
  const address = 'FRIEND_URL=http://a.test/\n';
  const left = '{"environment":"my"}\n';
  const remote = () => ({ ...loadEnvironment('my'), name: 'remote', isLoopback: false }) as Environment;
  const monitor = () =>
    runInProcess(['monitor', '--env', 'my', '--port', '0', '--data', at('data')], { stopAt: /Press Ctrl-C/ });
  const history = 'data/history.sqlite';
  const newHistory = () => {
    new HistoryDatabase(at(history)).close();
    // Any user may write it.
    chmodSync(at(history), 0o666);
  };
  return {
    environment: [
      { path: 'environments/my.env', holds: environmentText, run: openapi, fine: readOnly },
      {
        name: 'the target of an import',
        path: 'environments/new.env',
        holds: environmentText,
        beside: { [imported]: address },
        ...importing,
        fine: ['missing', 'unreadable', ...content],
      },
      {
        name: 'the folder of the environments',
        path: 'environments',
        run: () => runInProcess(['environments', 'list']),
        fine: optional,
      },
    ],
    secrets: [
      {
        path: 'environments/my.secret.env',
        holds: 'ACCESS_TOKEN=token-of-the-secret-file\n',
        run: openapi,
        fine: ['empty', ...optional],
      },
      {
        name: 'the secrets of an import',
        path: 'environments/new.secret.env',
        holds: 'API_KEY=an-older-key\n',
        beside: { [imported]: 'API_KEY=key-of-the-import\n' },
        ...importing,
        fine: ['missing', 'unreadable', ...content],
      },
    ],
    given: { path: imported, holds: address, ...importing, fine: ['half', 'in a read-only folder'] },
    observed: {
      path: 'observed/my/love.json',
      holds: '{"operation":"love","answers":{}}',
      run: openapi,
      fine: optional,
    },
    survey: {
      path: 'surveys/my.json',
      holds: '{"environment":"my","facts":[]}',
      run: () => runInProcess(['compare', 'my', at('surveys/my.json')]),
      fine: readOnly,
    },
    state: [
      { path: 'state', run: () => check(), fine: ['missing'] },
      {
        name: 'the undo journal',
        path: 'state/journal/my/a.jsonl',
        holds: left,
        run: undo,
        fine: [...madeAnew, 'in a read-only folder'],
      },
      {
        name: 'the consents',
        path: 'state/consents.json',
        holds: '{"other":"x"}',
        run: ended(() => consentTo(remote(), { yes: true, output: { write: () => true } as never })),
        fine: replaced,
      },
      {
        name: 'accepted data',
        path: 'state/accepted/my.jsonl',
        holds: '["a",{"turnedAt":1}]\n',
        run: ended(() => recall(loadEnvironment('my'), { operation: 'love', of: [] })),
        // Only a message is poorer without it.
        fine: [...dispensable, ...content, 'a folder'],
      },
    ],
    output: [
      { path: 'output', run: ended(() => assertOutputFolder()), fine: ['missing'] },
      {
        name: 'the lock of the results',
        path: 'output/run.sqlite',
        holds: '',
        run: ended(async () => (await takeOutputLock({ say: () => {} }))()),
        fine: madeAnew,
      },
    ],
    written: {
      path: 'work/summary.md',
      holds: '# an earlier one',
      run: () => check('--summary', at('work/summary.md')),
      fine: replaced,
    },
    scratch: {
      path: 'scratch',
      run: () => runInProcess(['environments', 'check', 'my']),
      fine: ['on a full disk'],
      // Node doesn't look at TMPDIR for a process that changed its user.
      untriedByRoot: ['unreadable', 'in a read-only folder'],
    },
    settings: {
      path: 'work/monitor.env',
      holds: 'WEBHOOK_URL=http://127.0.0.1:9/\n',
      run: () => runInProcess(['alerts', 'test', '--settings', at('work/monitor.env')]),
      code: 1,
      fine: readOnly,
    },
    data: [
      { path: 'data', run: monitor, fine: ['missing'] },
      { name: 'the lock of the monitor', path: 'data/lock.sqlite', holds: '', run: monitor, fine: madeAnew },
      { name: 'the history', path: history, holds: newHistory, run: monitor, fine: ['missing'] },
      {
        name: 'the history that is exported',
        path: history,
        holds: newHistory,
        run: () => runInProcess(['history', 'export', '--data', at('data')]),
        fine: [],
      },
      {
        name: 'the state of the reference service',
        path: 'work/state.db',
        holds: '',
        run: () => runInProcess(['serve', '--port', '0', '--data', at('work/state.db')], { stopAt: /Ctrl-C/ }),
        fine: madeAnew,
      },
    ],
    project: {
      path: 'work/matrix.json',
      holds: '{"faults":[]}',
      run: ended(() => committedMatrix(at('work/matrix.json'))),
      fine: optional,
    },
  };
}
