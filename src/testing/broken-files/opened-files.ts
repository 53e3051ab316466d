import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { redsOf } from '../../cli/likely-cause-lines.ts';
import { fileRoles } from '../../config/files/index.ts';
import { type Environment, loadEnvironment } from '../../config/index.ts';
import { committedMatrix } from '../../fault-injection/matrix.ts';
import { HistoryDatabase } from '../../monitor/index.ts';
import { compareParts, readParts } from '../../reporting/merge/index.ts';
import { lastAccepted } from '../../scenario/acceptance-memory.ts';
import { assertOutputFolder, consentTo, takeOutputLock } from '../../scenario/index.ts';
import { thisProcess } from '../../scenario/journal/owner.ts';
import { refusalStore } from '../../scenario/refusal-store.ts';
import { claimItem } from '../../scenario/stored-items.ts';
import { ProgressFile, writeSurvey } from '../../survey/index.ts';
import { Samples } from '../../survey/samples.ts';
import { type Ended, ended, runInProcess } from '../run-in-process.ts';
import type { Sandbox } from './sandbox.ts';

/** A file or folder that the program opens. */
export interface OpenedFile {
  readonly name: string;
  readonly role: keyof typeof fileRoles;
  readonly kind: 'file' | 'folder';
  readonly path: string;
  /** Puts there what a healthy run needs. */
  readonly put: () => void;
  readonly run: () => Promise<Ended>;
  /** How a healthy run ends. */
  readonly code?: number;
  /** States that are no mistake here: nothing is needed of it, or it is made anew. */
  readonly fine: readonly string[];
  /** States that a test can't bring about when it changes its user. */
  readonly untriedByRoot?: readonly string[];
}

const readOnly = ['in a read-only folder', 'on a full disk', 'on a read-only file system'];
const content = ['garbage', 'empty', 'half'];

/** Every file that the program opens, by what it is for: a role that is missing here doesn't compile. */
export function openedFiles({ at }: Sandbox, environmentText: string): readonly OpenedFile[] {
  const text = (path: string, what: string) => () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o777 });
    writeFileSync(path, what, { mode: 0o666 });
  };
  const folder = (path: string) => () => void mkdirSync(path, { recursive: true, mode: 0o777 });
  const file = (role: OpenedFile['role'], path: string, rest: Omit<OpenedFile, 'role' | 'kind' | 'path' | 'name'>) =>
    ({ name: fileRoles[role].what, role, kind: 'file', path, ...rest }) satisfies OpenedFile;
  const openapi = () => runInProcess(['openapi', '--env', 'my']);
  const undo = () => runInProcess(['undo', '--env', 'my']);
  const importing = () =>
    runInProcess(['environments', 'import', at('work', 'import.env'), '--name', 'new', '--force']);
  const check = () => runInProcess(['check', '--env', 'my', '--scenario', '*flag*']);
  const monitor = () =>
    runInProcess(['monitor', '--env', 'my', '--port', '0', '--data', at('data')], { stopAt: /Press Ctrl-C/ });
  const history = () => runInProcess(['history', 'export', '--data', at('data')]);
  const progress = () => new ProgressFile(loadEnvironment('my'));
  const remote = () => ({ ...loadEnvironment('my'), name: 'remote', isLoopback: false }) as Environment;

  const byRole: Readonly<Record<keyof typeof fileRoles, readonly OpenedFile[]>> = {
    environments: [
      {
        ...file('environments', at('environments'), {
          put: text(at('environments', 'my.env'), environmentText),
          run: () => runInProcess(['environments', 'list']),
          fine: ['missing', ...readOnly],
        }),
        kind: 'folder',
      },
    ],
    environment: [
      file('environment', at('environments', 'my.env'), {
        put: text(at('environments', 'my.env'), environmentText),
        run: openapi,
        fine: readOnly,
      }),
      {
        ...file('environment', at('environments', 'new.env'), {
          put: () => {
            text(at('work', 'import.env'), 'FRIEND_URL=http://a.test/\n')();
            text(at('environments', 'new.env'), environmentText)();
          },
          run: importing,
          fine: ['missing', 'unreadable', ...content],
        }),
        name: 'the target of an import',
      },
    ],
    secrets: [
      file('secrets', at('environments', 'my.secret.env'), {
        put: () => {
          text(at('environments', 'my.env'), environmentText)();
          text(at('environments', 'my.secret.env'), 'ACCESS_TOKEN=token-of-the-secret-file\n')();
        },
        run: openapi,
        fine: ['missing', 'empty', ...readOnly],
      }),
      {
        ...file('secrets', at('environments', 'new.secret.env'), {
          put: () => {
            text(at('work', 'import.env'), 'API_KEY=key-of-the-import\n')();
            text(at('environments', 'new.secret.env'), 'API_KEY=an-older-key\n')();
          },
          run: importing,
          fine: ['missing', 'unreadable', ...content],
        }),
        name: 'the secrets of an import',
      },
    ],
    imported: [
      file('imported', at('work', 'import.env'), {
        put: text(at('work', 'import.env'), 'FRIEND_URL=http://a.test/\n'),
        run: importing,
        fine: ['half', 'in a read-only folder'],
      }),
    ],
    observed: [
      file('observed', at('observed', 'my', 'love.json'), {
        put: () => {
          text(at('environments', 'my.env'), environmentText)();
          text(at('observed', 'my', 'love.json'), '{"operation":"love","answers":{}}')();
        },
        run: openapi,
        fine: ['missing', ...readOnly],
      }),
      {
        ...file('observed', at('observed', 'my'), {
          put: () => {
            text(at('environments', 'my.env'), environmentText)();
            folder(at('observed', 'my'))();
          },
          run: openapi,
          fine: ['missing', ...readOnly],
        }),
        name: 'the folder of observed responses',
        kind: 'folder',
      },
    ],
    survey: [
      file('survey', at('surveys', 'my.json'), {
        put: text(at('surveys', 'my.json'), '{"environment":"my","facts":[]}'),
        run: () => runInProcess(['compare', 'my', at('surveys', 'my.json')]),
        fine: readOnly,
      }),
      {
        ...file('survey', at('surveys', 'new.json'), {
          put: text(at('surveys', 'new.json'), '{"environment":"new","facts":[]}'),
          run: ended(() =>
            writeSurvey({ environment: 'new', startedAt: '', durationMs: 0, requests: 0, facts: [], answers: [] }),
          ),
          fine: ['missing', 'unreadable', ...content],
        }),
        name: 'the survey that is written',
      },
    ],
    surveyProgress: [
      file('surveyProgress', at('output', 'survey', 'my.progress.json'), {
        put: () => {
          text(at('environments', 'my.env'), environmentText)();
          text(at('output', 'survey', 'my.progress.json'), '{}')();
        },
        run: ended(() => {
          const { startedAt } = progress().read(Date.now());
          progress().write({ startedAt, requests: 0, facts: [], samples: new Samples() });
        }),
        fine: ['missing', ...content],
      }),
    ],
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
          run: ended(() => lastAccepted(loadEnvironment('my'), 'love', [])),
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
          run: ended(() => claimItem('my', ['item-1'])?.release()),
          // An empty file needs no room.
          fine: ['missing', 'on a full disk'],
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
    shard: [
      file('shard', at('work', 'run.json'), {
        put: () => {
          const run = {
            seed: '1',
            commit: null,
            selection: '',
            shard: null,
            startedAt: '',
            status: 'passed',
            errors: 0,
          };
          text(at('work', 'run.json'), JSON.stringify({ run, common: {}, environments: {} }))();
          text(at('work', 'outcomes.json'), '[]')();
        },
        run: ended(() => compareParts(readParts([at('work')]))),
        fine: readOnly,
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
    settings: [
      file('settings', at('work', 'monitor.env'), {
        put: text(at('work', 'monitor.env'), 'WEBHOOK_URL=http://127.0.0.1:9/\n'),
        run: () => runInProcess(['alerts', 'test', '--settings', at('work', 'monitor.env')]),
        code: 1,
        fine: readOnly,
      }),
    ],
    data: [
      {
        ...file('data', at('data'), {
          put: text(at('environments', 'my.env'), environmentText),
          run: monitor,
          fine: ['missing'],
        }),
        kind: 'folder',
      },
    ],
    lock: [
      file('lock', at('data', 'lock.sqlite'), {
        put: () => {
          text(at('environments', 'my.env'), environmentText)();
          text(at('data', 'lock.sqlite'), '')();
        },
        run: monitor,
        fine: ['missing', 'empty', 'half'],
      }),
    ],
    history: [
      file('history', at('data', 'history.sqlite'), {
        put: () => {
          text(at('environments', 'my.env'), environmentText)();
          newHistory(at('data', 'history.sqlite'));
        },
        run: monitor,
        fine: ['missing', 'empty'],
      }),
      {
        ...file('history', at('data', 'history.sqlite'), {
          put: () => newHistory(at('data', 'history.sqlite')),
          run: history,
          fine: [],
        }),
        name: 'the history that is exported',
      },
    ],
    serviceState: [
      file('serviceState', at('work', 'state.db'), {
        put: text(at('work', 'state.db'), ''),
        run: () => runInProcess(['serve', '--port', '0', '--data', at('work', 'state.db')], { stopAt: /Ctrl-C/ }),
        fine: ['missing', 'empty', 'half'],
      }),
    ],
    matrix: [
      file('matrix', at('work', 'matrix.json'), {
        put: text(at('work', 'matrix.json'), '{"faults":[]}'),
        run: ended(() => committedMatrix(at('work', 'matrix.json'))),
        fine: ['missing', ...readOnly],
      }),
    ],
  };
  return Object.values(byRole).flat();
}

function newHistory(path: string): void {
  // Made before, so that any user may write it.
  closeSync(openSync(path, 'w', 0o666));
  new HistoryDatabase(path).close();
}
