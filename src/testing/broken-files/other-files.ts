import { chmodSync } from 'node:fs';
import { entryIn, writeChanges } from '../../cli/skeletons/insert.ts';
import { committedMatrix } from '../../fault-injection/matrix.ts';
import { HistoryDatabase } from '../../monitor/index.ts';
import { compareParts, readParts } from '../../reporting/merge/index.ts';
import { publish } from '../../reporting/publish-site.ts';
import { ended, runInProcess } from '../programs/run-in-process.ts';
import { content, type OpenedIn, readOnly, type Setting } from './opened-file.ts';

const RUN = { seed: '1', commit: null, selection: '', shard: null, startedAt: '', status: 'passed', errors: 0 };

/** Files of shards, the monitor, the reference service and the drill. */
export function otherFiles({ at }: Setting) {
  const monitor = () =>
    runInProcess(['monitor', '--env', 'my', '--port', '0', '--data', at('data')], { stopAt: /Press Ctrl-C/ });
  const history = at('data', 'history.sqlite');
  const newHistory = () => {
    new HistoryDatabase(history).close();
    // Any user may write it.
    chmodSync(history, 0o666);
  };
  return {
    exported: {
      path: at('work', 'my.http'),
      holds: '# earlier\n',
      run: () => runInProcess(['export', '--env', 'my', '--format', 'http', '--output', at('work')]),
      fine: ['missing', 'unreadable', ...content],
    },
    shard: {
      path: at('work', 'run.json'),
      holds: JSON.stringify({ run: RUN, common: {}, environments: {} }),
      beside: { [at('work', 'outcomes.json')]: '[]' },
      run: ended(() => compareParts(readParts([at('work')]))),
      fine: readOnly,
    },
    site: {
      path: at('work', 'site'),
      beside: {
        [at('output', 'run.json')]: JSON.stringify({ run: RUN, common: {}, environments: { my: {} } }),
        [at('output', 'summary.json')]: '{}',
        [at('output', 'report', 'index.html')]: 'a report',
      },
      run: ended(() => publish(at('work', 'site'))),
      fine: ['missing'],
    },
    data: { path: at('data'), run: monitor, fine: ['missing'] },
    lock: { path: at('data', 'lock.sqlite'), holds: '', run: monitor, fine: ['missing', 'empty', 'half'] },
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
      path: at('work', 'state.db'),
      holds: '',
      run: () => runInProcess(['serve', '--port', '0', '--data', at('work', 'state.db')], { stopAt: /Ctrl-C/ }),
      fine: ['missing', 'empty', 'half'],
    },
    source: {
      path: at('work', 'table.ts'),
      holds: 'export const table = {\n  a,\n};\n',
      beside: { [at('work', 'CONTRIBUTING.md')]: '', [at('work', 'tools', 'check.ts')]: '' },
      run: ended(() => writeChanges([entryIn('table.ts', 'export const table = {', '  b,\n')], at('work'))),
      fine: [],
    },
    matrix: {
      path: at('work', 'matrix.json'),
      holds: '{"faults":[]}',
      run: ended(() => committedMatrix(at('work', 'matrix.json'))),
      fine: ['missing', ...readOnly],
    },
  } satisfies Partial<OpenedIn>;
}
