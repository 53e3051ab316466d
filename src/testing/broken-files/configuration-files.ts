import { loadEnvironment } from '../../config/index.ts';
import { loadQuarantine } from '../../scenario/index.ts';
import { ProgressFile, writeSurvey } from '../../survey/index.ts';
import { Samples } from '../../survey/inference/samples.ts';
import { ended, runInProcess } from '../run-in-process.ts';
import { certificateFor } from '../tls-misbehaviours.ts';
import { content, file, folder, type OpenedIn, readOnly, type Setting, text } from './opened-file.ts';

type Role =
  | 'environments'
  | 'environment'
  | 'secrets'
  | 'certificate'
  | 'quarantine'
  | 'imported'
  | 'observed'
  | 'openApi'
  | 'survey'
  | 'surveyProgress'
  | 'settings';

/** Files that people write, or that describe a service. */
export function configurationFiles({ at, environmentText }: Setting): OpenedIn<Role> {
  const openapi = () => runInProcess(['openapi', '--env', 'my']);
  const importing = () =>
    runInProcess(['environments', 'import', at('work', 'import.env'), '--name', 'new', '--force']);
  const progress = () => new ProgressFile(loadEnvironment('my'));
  return {
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
          // What it gives is not all that is needed.
          code: 1,
          fine: ['missing', 'unreadable', ...content],
        }),
        name: 'the target of an import',
      },
    ],
    certificate: [
      file('certificate', at('environments', 'ca.pem'), {
        put: () => {
          text(at('environments', 'my.env'), `${environmentText}CA_FILE=ca.pem\n`)();
          text(at('environments', 'ca.pem'), certificateFor('a.test', 1).cert)();
        },
        run: openapi,
        fine: readOnly,
      }),
    ],
    quarantine: [
      file('quarantine', at('environments', 'quarantine.json'), {
        put: text(
          at('environments', 'quarantine.json'),
          '[{"title":"love","owner":"a","until":"2027-01-01","reason":"b"}]',
        ),
        run: ended(() => loadQuarantine()),
        fine: ['missing', ...readOnly],
      }),
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
          // What it gives is not all that is needed.
          code: 1,
          fine: ['missing', 'unreadable', ...content],
        }),
        name: 'the secrets of an import',
      },
    ],
    imported: [
      file('imported', at('work', 'import.env'), {
        put: text(at('work', 'import.env'), 'FRIEND_URL=http://a.test/\n'),
        run: importing,
        // What it gives is not all that is needed.
        code: 1,
        fine: ['half', 'in a read-only folder'],
      }),
    ],
    openApi: [
      file('openApi', at('environments', 'own.json'), {
        put: () => {
          text(at('environments', 'my.env'), `${environmentText}OPENAPI=own.json\n`)();
          text(
            at('environments', 'own.json'),
            '{"openapi":"3.1.0","paths":{"/v1/friends/block":{"post":{"responses":{}}}}}',
          )();
        },
        run: openapi,
        fine: readOnly,
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
    settings: [
      file('settings', at('work', 'monitor.env'), {
        put: text(at('work', 'monitor.env'), 'WEBHOOK_URL=http://127.0.0.1:9/\n'),
        run: () => runInProcess(['alerts', 'test', '--settings', at('work', 'monitor.env')]),
        code: 1,
        fine: readOnly,
      }),
    ],
  };
}
