import { redsOf } from '../../cli/output/likely-cause-lines.ts';
import { type Environment, loadEnvironment } from '../../config/index.ts';
import { recall } from '../../scenario/data/memory.ts';
import { claimItem } from '../../scenario/data/stored-items.ts';
import { assertOutputFolder, consentTo, takeOutputLock } from '../../scenario/index.ts';
import { thisProcess } from '../../scenario/journal/owner.ts';
import { refusalStore } from '../../scenario/state/refusal-store.ts';
import { ended, runInProcess } from '../run-in-process.ts';
import { content, file, folder, type OpenedIn, readOnly, type Setting, text } from './opened-file.ts';

type Role =
  | 'state'
  | 'journal'
  | 'lockFile'
  | 'accepted'
  | 'consents'
  | 'usedItems'
  | 'output'
  | 'page'
  | 'junit'
  | 'scratch';

/** Files of runs: their state, their results, and scratch files. */
export function stateFiles({ at, environmentText }: Setting): OpenedIn<Role> {
  const undo = () => runInProcess(['undo', '--env', 'my']);
  const check = () => runInProcess(['check', '--env', 'my', '--scenario', '*flag*']);
  const remote = () => ({ ...loadEnvironment('my'), name: 'remote', isLoopback: false }) as Environment;
  return {
    state: [
      {
        ...file('state', at('state'), {
          put: text(at('environments', 'my.env'), environmentText),
          run: check,
          fine: ['missing'],
        }),
        kind: 'folder',
      },
    ],
    journal: [
      file('journal', at('state', 'journal', 'my', 'a.jsonl'), {
        put: () => {
          text(at('environments', 'my.env'), environmentText)();
          text(at('state', 'journal', 'my', 'a.jsonl'), '{"owner":"nobody","environment":"my","run":"r"}\n')();
        },
        run: undo,
        fine: ['missing', 'empty', 'half'],
      }),
      {
        ...file('journal', at('state', 'journal', 'my'), {
          put: () => {
            text(at('environments', 'my.env'), environmentText)();
            text(at('state', 'journal', 'my', 'a.jsonl'), '{"owner":"nobody","environment":"my","run":"r"}\n')();
          },
          run: undo,
          fine: ['missing'],
        }),
        name: 'the folder of the undo journal',
        kind: 'folder',
      },
    ],
    lockFile: [
      {
        ...file('lockFile', at('state', 'journal', 'my', 'undo.lock'), {
          put: () => {
            const owner = { ...thisProcess(), began: 'another boot' };
            text(at('environments', 'my.env'), environmentText)();
            text(at('state', 'journal', 'my', 'a.jsonl'), '{"owner":"nobody","environment":"my","run":"r"}\n')();
            text(at('state', 'journal', 'my', 'undo.lock'), JSON.stringify(owner))();
          },
          run: undo,
          fine: ['missing'],
        }),
        name: 'the lock of the undo journal',
      },
      {
        ...file('lockFile', at('output', 'run.lock'), {
          put: text(at('output', 'run.lock'), JSON.stringify({ ...thisProcess(), began: 'another boot' })),
          run: ended(async () => (await takeOutputLock({ say: () => {} }))()),
          fine: ['missing'],
        }),
        name: 'the lock of the results',
      },
    ],
    accepted: [
      {
        ...file('accepted', at('state', 'accepted', 'my'), {
          put: () => {
            text(at('environments', 'my.env'), environmentText)();
            folder(at('state', 'accepted', 'my'))();
          },
          run: ended(() => recall(loadEnvironment('my'), { operation: 'love', of: [] })),
          // Only a message is poorer without it.
          fine: [
            'missing',
            'unreadable',
            'a file',
            'a FIFO',
            'a device',
            'a dangling link',
            'a link to itself',
            ...readOnly,
          ],
        }),
        kind: 'folder',
      },
    ],
    consents: [
      file('consents', at('state', 'consents.json'), {
        put: () => {
          text(at('environments', 'my.env'), environmentText)();
          text(at('state', 'consents.json'), '{"other":"x"}')();
        },
        run: ended(() => consentTo(remote(), { yes: true, output: { write: () => true } as never })),
        fine: ['missing', ...content],
      }),
    ],
    usedItems: [
      {
        ...file('usedItems', at('state', 'used-items', 'my'), {
          put: folder(at('state', 'used-items', 'my')),
          run: ended(async () => (await claimItem('my', ['item-1']))?.release()),
          fine: ['missing'],
        }),
        kind: 'folder',
      },
    ],
    output: [
      {
        ...file('output', at('output'), { put: () => {}, run: ended(() => assertOutputFolder()), fine: ['missing'] }),
        kind: 'folder',
      },
      {
        ...file('output', at('output', 'history.jsonl'), {
          put: text(at('output', 'history.jsonl'), '{}\n'),
          run: ended(() => assertOutputFolder()),
          fine: ['missing', ...content],
        }),
        name: 'the history of reports',
      },
      {
        ...file('output', at('output', 'outcomes.json'), {
          put: text(at('output', 'outcomes.json'), '[]'),
          run: ended(() => redsOf(at('output', 'outcomes.json'))),
          fine: ['missing', ...content, ...readOnly],
        }),
        name: 'the outcomes of a run',
      },
      {
        ...file('output', at('output', 'runs'), {
          put: folder(at('output', 'runs')),
          run: ended(() => {
            const store = refusalStore('run', 'my');
            store.add('token of ada', '401 to block');
            if (store.of('token of ada').length !== 1) throw new Error('a refusal was lost');
          }),
          // Counted in memory where it can't be shared.
          fine: [
            'missing',
            'unreadable',
            'a file',
            'a FIFO',
            'a device',
            'a dangling link',
            'a link to itself',
            ...readOnly,
          ],
        }),
        name: 'the refusals that processes share',
        kind: 'folder',
      },
    ],
    page: [
      file('page', at('work', 'summary.md'), {
        put: () => {
          text(at('environments', 'my.env'), environmentText)();
          text(at('work', 'summary.md'), '# an earlier one')();
        },
        run: () =>
          runInProcess(['check', '--env', 'my', '--scenario', '*flag*', '--summary', at('work', 'summary.md')]),
        fine: ['missing', ...content],
      }),
    ],
    junit: [
      file('junit', at('work', 'junit.xml'), {
        put: () => {
          text(at('environments', 'my.env'), environmentText)();
          text(at('work', 'junit.xml'), '<testsuites/>')();
        },
        run: () => runInProcess(['check', '--env', 'my', '--scenario', '*flag*', '--junit', at('work', 'junit.xml')]),
        fine: ['missing', ...content],
      }),
    ],
    scratch: [
      {
        ...file('scratch', at('scratch'), {
          put: text(at('environments', 'my.env'), environmentText),
          run: () => runInProcess(['environments', 'check', 'my']),
          fine: ['on a full disk'],
          // Node doesn't look at TMPDIR for a process that changed its user.
          untriedByRoot: ['unreadable', 'in a read-only folder'],
        }),
        kind: 'folder',
      },
    ],
  };
}
