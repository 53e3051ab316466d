import { loadEnvironment } from '../../config/index.ts';
import { loadQuarantine } from '../../engine/run/index.ts';
import { progressFile, writeSurvey } from '../../survey/index.ts';
import { samplesFrom } from '../../survey/inference/samples.ts';
import { ended, runInProcess } from '../programs/run-in-process.ts';
import { certificateFor } from '../servers/certificate.ts';
import { content, type OpenedIn, readOnly, type Setting } from './opened-file.ts';

const openApi = { openapi: '3.1.0', paths: { '/v1/friends/block': { post: { responses: {} } } } };
const emptySurvey = { environment: 'new', startedAt: '', durationMs: 0, requests: 0, facts: [], answers: [] };
const optional = ['missing', ...readOnly];
const overwritten = ['missing', 'unreadable', ...content];

export function configurationFiles({ at, environmentText }: Setting) {
  const openapi = () => runInProcess(['openapi', '--env', 'my']);
  const imported = 'work/import.env';
  const importing = {
    run: () => runInProcess(['environments', 'import', at(imported), '--name', 'new', '--force']),
    // The imported keys alone don't make an environment.
    code: 1,
  };
  const address = 'FRIEND_URL=http://a.test/\n';
  const withKey = (line: string) => ({ 'environments/my.env': `${environmentText}${line}\n` });
  const resume = () => {
    const file = progressFile(loadEnvironment('my'));
    const { startedAt } = file.read(Date.now());
    progressFile(loadEnvironment('my')).write({
      startedAt,
      requests: 0,
      facts: [],
      thoughtOver: 0,
      samples: samplesFrom(),
    });
  };
  return {
    environments: { path: 'environments', run: () => runInProcess(['environments', 'list']), fine: optional },
    environment: [
      { path: 'environments/my.env', holds: environmentText, run: openapi, fine: readOnly },
      {
        name: 'the target of an import',
        path: 'environments/new.env',
        holds: environmentText,
        beside: { [imported]: address },
        ...importing,
        fine: overwritten,
      },
    ],
    certificate: {
      path: 'environments/ca.pem',
      holds: certificateFor('a.test', 1).cert,
      beside: withKey('CA_FILE=ca.pem'),
      run: openapi,
      fine: readOnly,
    },
    quarantine: {
      path: 'environments/quarantine.json',
      holds: '[{"title":"love","owner":"a","until":"2027-01-01","reason":"b"}]',
      run: ended(() => loadQuarantine()),
      fine: optional,
    },
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
        fine: overwritten,
      },
    ],
    imported: { path: imported, holds: address, ...importing, fine: ['half', 'in a read-only folder'] },
    openApi: {
      path: 'environments/own.json',
      holds: JSON.stringify(openApi),
      beside: withKey('OPENAPI=own.json'),
      run: openapi,
      fine: readOnly,
    },
    observed: [
      { path: 'observed/my/love.json', holds: '{"operation":"love","answers":{}}', run: openapi, fine: optional },
      { name: 'the folder of observed responses', path: 'observed/my', run: openapi, fine: optional },
    ],
    survey: [
      {
        path: 'surveys/my.json',
        holds: '{"environment":"my","facts":[]}',
        run: () => runInProcess(['compare', 'my', at('surveys/my.json')]),
        fine: readOnly,
      },
      {
        name: 'the survey that is written',
        path: 'surveys/new.json',
        holds: '{"environment":"new","facts":[]}',
        run: ended(() => writeSurvey(emptySurvey)),
        fine: overwritten,
      },
    ],
    surveyProgress: {
      path: 'output/survey/my.progress.json',
      holds: '{}',
      run: ended(resume),
      fine: ['missing', ...content],
    },
    settings: {
      path: 'work/monitor.env',
      holds: 'WEBHOOK_URL=http://127.0.0.1:9/\n',
      run: () => runInProcess(['alerts', 'test', '--settings', at('work/monitor.env')]),
      code: 1,
      fine: readOnly,
    },
  } satisfies Partial<OpenedIn>;
}
