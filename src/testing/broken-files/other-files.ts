import { chmodSync } from 'node:fs';
import { entryIn, writeChanges } from '../../cli/skeletons/insert.ts';
import { committedMatrix } from '../../fault-injection/matrix.ts';
import { HistoryDatabase } from '../../monitor/index.ts';
import { compareParts, readParts } from '../../reporting/merge/index.ts';
import { publish } from '../../reporting/site/publish.ts';
import { ended, runInProcess } from '../run-in-process.ts';
import { content, file, folder, type OpenedIn, readOnly, type Setting, text } from './opened-file.ts';

type Role = 'shard' | 'site' | 'data' | 'lock' | 'history' | 'serviceState' | 'source' | 'matrix' | 'exported';

/** Files of shards, the monitor, the reference service and the drill. */
export function otherFiles({ at, environmentText }: Setting): OpenedIn<Role> {
  const monitor = () =>
    runInProcess(['monitor', '--env', 'my', '--port', '0', '--data', at('data')], { stopAt: /Press Ctrl-C/ });
  const history = () => runInProcess(['history', 'export', '--data', at('data')]);
  return {
    exported: [
      file('exported', at('work', 'my.http'), {
        put: () => {
          text(at('environments', 'my.env'), environmentText)();
          text(at('work', 'my.http'), '# earlier\n')();
        },
        run: () => runInProcess(['export', '--env', 'my', '--format', 'http', '--output', at('work')]),
        fine: ['missing', 'unreadable', ...content],
      }),
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
    site: [
      {
        ...file('site', at('work', 'site'), {
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
            text(at('output', 'run.json'), JSON.stringify({ run, common: {}, environments: { my: {} } }))();
            text(at('output', 'summary.json'), '{}')();
            text(at('output', 'report', 'index.html'), 'a report')();
            folder(at('work', 'site'))();
          },
          run: ended(() => publish(at('work', 'site'))),
          fine: ['missing'],
        }),
        kind: 'folder',
      },
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
        fine: ['missing'],
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
    source: [
      file('source', at('work', 'table.ts'), {
        put: () => {
          for (const needed of ['CONTRIBUTING.md', 'tools/check.ts']) text(at('work', ...needed.split('/')), '')();
          text(at('work', 'table.ts'), 'export const table = {\n  a,\n};\n')();
        },
        run: ended(() => writeChanges([entryIn('table.ts', 'export const table = {', '  b,\n')], at('work'))),
        fine: [],
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
}

function newHistory(path: string): void {
  new HistoryDatabase(path).close();
  // Any user may write it.
  chmodSync(path, 0o666);
}
