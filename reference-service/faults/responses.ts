import type { CallableId } from '../../src/spec/index.ts';
import { type CataloguedFault, ofKind } from './kind.ts';
import { onSuccess } from './tamper.ts';

const json = 'part 1: all payloads are JSON over HTTP';
const sense = 'common sense: success is a 2xx';

const wrongResponse = (
  name: string,
  operation: CallableId,
  grade: CataloguedFault['grade'],
  breaks: string,
  change: Parameters<typeof onSuccess>[0],
): Omit<CataloguedFault, 'kind'> => ({
  name: `${operation}-${name}`,
  operation,
  grade,
  breaks,
  respond: onSuccess(change),
});

const page = '<!doctype html><title>Welcome</title><p>It works.';

/** Responses that claim success wrongly, or can't be read. */
export const answerFaults = ofKind('answer', [
  wrongResponse('done-but-404', 'love', 'assumed', sense, () => ({ status: 404 })),
  wrongResponse('done-but-500', 'updateProfile', 'assumed', sense, () => ({ status: 500 })),
  wrongResponse('done-but-302', 'saveAvatar', 'assumed', sense, (response) => ({
    status: 302,
    headers: { ...response.headers, location: '/v1/profile' },
  })),
  wrongResponse('done-but-401', 'unblock', 'assumed', sense, () => ({ status: 401 })),
  wrongResponse('done-but-304', 'reportOptions', 'assumed', sense, () => ({ status: 304, body: '' })),
  wrongResponse('answers-a-web-page', 'cloneType', 'documented', json, (response) => ({
    headers: { ...response.headers, 'content-type': 'text/html' },
    body: page,
  })),
  wrongResponse('answers-text-for-json', 'block', 'documented', json, (response) => ({
    headers: { ...response.headers, 'content-type': 'text/plain' },
    body: 'OK',
  })),
  wrongResponse('calls-json-text', 'report', 'documented', json, (response) => ({
    headers: { ...response.headers, 'content-type': 'text/plain' },
  })),
  wrongResponse('answers-half-a-body', 'evaluate', 'documented', json, ({ body }) => ({
    body: body.toString().slice(0, body.toString().length / 2),
  })),
  wrongResponse('answers-two-bodies', 'listBlockers', 'documented', json, ({ body }) => ({ body: `${body}${body}` })),
  wrongResponse('answers-nothing', 'listBlocked', 'documented', 'row 2 and part 1: the caller lists the users', () => ({
    body: '',
  })),
  wrongResponse('answers-nothing', 'reportOptions', 'documented', 'part 4, rule 2: the options are returned', () => ({
    body: '',
  })),
  wrongResponse(
    'answers-nothing',
    'evaluate',
    'documented',
    'part 4, rule 5: the default is the fallback value',
    () => ({
      body: '',
    }),
  ),
  wrongResponse(
    'answers-json-in-a-string',
    'listBlocked',
    'documented',
    'row 2: the response lists users',
    ({ body }) => ({
      body: JSON.stringify(body.toString()),
    }),
  ),
  wrongResponse('answers-nan', 'love', 'documented', json, () => ({ body: '{"loves":NaN}' })),
  wrongResponse('answers-single-quotes', 'unlove', 'documented', json, () => ({ body: "{'loved':false}" })),
  wrongResponse('claims-gzip', 'updateProfile', 'documented', json, (response) => ({
    headers: { ...response.headers, 'content-encoding': 'gzip' },
  })),
  wrongResponse('answers-a-padded-script', 'reportOptions', 'documented', json, ({ body }) => ({
    body: `)]}',\n${body}`,
  })),
  wrongResponse('shows-a-trace-in-place-of-json', 'deleteItem', 'documented', json, (response) => ({
    status: 200,
    headers: { ...response.headers, 'content-type': 'text/plain' },
    body: "TypeError: Cannot read properties of undefined (reading 'id')\n    at deleteItem (/srv/storage.js:7:11)",
  })),
]);
