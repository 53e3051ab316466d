import { loadEnvironment } from '../../config/index.ts';
import { loadQuarantine } from '../../scenario/index.ts';
import { ProgressFile, writeSurvey } from '../../survey/index.ts';
import { Samples } from '../../survey/inference/samples.ts';
import { ended, runInProcess } from '../programs/run-in-process.ts';
import { certificateFor } from '../servers/certificate.ts';
import { content, type OpenedIn, readOnly, type Setting } from './opened-file.ts';

/** Files that people write, or that describe a service. */
export function configurationFiles({ at, environmentText }: Setting) {
  const openapi = () => runInProcess(['openapi', '--env', 'my']);
  const progress = () => new ProgressFile(loadEnvironment('my'));
  const imported = at('work', 'import.env');
  // The imported keys alone don't make an environment.
  const importing = {
    run: () => runInProcess(['environments', 'import', imported, '--name', 'new', '--force']),
    code: 1,
  };
  const overwritten = ['missing', 'unreadable', ...content];
  const own = at('environments', 'my.env');
  return {
    environments: {
      path: at('environments'),
      run: () => runInProcess(['environments', 'list']),
      fine: ['missing', ...readOnly],
    },
    environment: [
      { path: own, holds: environmentText, run: openapi, fine: readOnly },
      {
        name: 'the target of an import',
        path: at('environments', 'new.env'),
        holds: environmentText,
        beside: { [imported]: 'FRIEND_URL=http://a.test/\n' },
        ...importing,
        fine: overwritten,
      },
    ],
    certificate: {
      path: at('environments', 'ca.pem'),
      holds: certificateFor('a.test', 1).cert,
      beside: { [own]: `${environmentText}CA_FILE=ca.pem\n` },
      run: openapi,
      fine: readOnly,
    },
    quarantine: {
      path: at('environments', 'quarantine.json'),
      holds: '[{"title":"love","owner":"a","until":"2027-01-01","reason":"b"}]',
      run: ended(() => loadQuarantine()),
      fine: ['missing', ...readOnly],
    },
    secrets: [
      {
        path: at('environments', 'my.secret.env'),
        holds: 'ACCESS_TOKEN=token-of-the-secret-file\n',
        run: openapi,
        fine: ['missing', 'empty', ...readOnly],
      },
      {
        name: 'the secrets of an import',
        path: at('environments', 'new.secret.env'),
        holds: 'API_KEY=an-older-key\n',
        beside: { [imported]: 'API_KEY=key-of-the-import\n' },
        ...importing,
        fine: overwritten,
      },
    ],
    imported: {
      path: imported,
      holds: 'FRIEND_URL=http://a.test/\n',
      ...importing,
      fine: ['half', 'in a read-only folder'],
    },
    openApi: {
      path: at('environments', 'own.json'),
      holds: '{"openapi":"3.1.0","paths":{"/v1/friends/block":{"post":{"responses":{}}}}}',
      beside: { [own]: `${environmentText}OPENAPI=own.json\n` },
      run: openapi,
      fine: readOnly,
    },
    observed: [
      {
        path: at('observed', 'my', 'love.json'),
        holds: '{"operation":"love","answers":{}}',
        run: openapi,
        fine: ['missing', ...readOnly],
      },
      {
        name: 'the folder of observed responses',
        path: at('observed', 'my'),
        run: openapi,
        fine: ['missing', ...readOnly],
      },
    ],
    survey: [
      {
        path: at('surveys', 'my.json'),
        holds: '{"environment":"my","facts":[]}',
        run: () => runInProcess(['compare', 'my', at('surveys', 'my.json')]),
        fine: readOnly,
      },
      {
        name: 'the survey that is written',
        path: at('surveys', 'new.json'),
        holds: '{"environment":"new","facts":[]}',
        run: ended(() =>
          writeSurvey({ environment: 'new', startedAt: '', durationMs: 0, requests: 0, facts: [], answers: [] }),
        ),
        fine: overwritten,
      },
    ],
    surveyProgress: {
      path: at('output', 'survey', 'my.progress.json'),
      holds: '{}',
      run: ended(() => {
        const { startedAt } = progress().read(Date.now());
        progress().write({ startedAt, requests: 0, facts: [], samples: new Samples() });
      }),
      fine: ['missing', ...content],
    },
    settings: {
      path: at('work', 'monitor.env'),
      holds: 'WEBHOOK_URL=http://127.0.0.1:9/\n',
      run: () => runInProcess(['alerts', 'test', '--settings', at('work', 'monitor.env')]),
      code: 1,
      fine: readOnly,
    },
  } satisfies Partial<OpenedIn>;
}
