import type { CallableId } from '../../src/spec/index.ts';
import { type CataloguedFault, ofKind } from './kind.ts';
import { onSuccess } from './tamper.ts';

const json = 'part 1: all payloads are JSON over HTTP';
const sense = 'common sense: success is a 2xx';

const spoilt = (
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
  answer: onSuccess(change),
});

const page = '<!doctype html><title>Welcome</title><p>It works.';

/** Answers that tell success and aren't one, or can't be read. */
export const answerFaults = ofKind('answer', [
  spoilt('done-but-404', 'love', 'assumed', sense, () => ({ status: 404 })),
  spoilt('done-but-500', 'updateProfile', 'assumed', sense, () => ({ status: 500 })),
  spoilt('done-but-302', 'saveAvatar', 'assumed', sense, (answer) => ({
    status: 302,
    headers: { ...answer.headers, location: '/v1/profile' },
  })),
  spoilt('done-but-401', 'unblock', 'assumed', sense, () => ({ status: 401 })),
  spoilt('done-but-304', 'reportOptions', 'assumed', sense, () => ({ status: 304, body: '' })),
  spoilt('answers-a-web-page', 'cloneType', 'documented', json, (answer) => ({
    headers: { ...answer.headers, 'content-type': 'text/html' },
    body: page,
  })),
  spoilt('answers-text-for-json', 'block', 'documented', json, (answer) => ({
    headers: { ...answer.headers, 'content-type': 'text/plain' },
    body: 'OK',
  })),
  spoilt('calls-json-text', 'report', 'documented', json, (answer) => ({
    headers: { ...answer.headers, 'content-type': 'text/plain' },
  })),
  spoilt('answers-half-a-body', 'evaluate', 'documented', json, ({ body }) => ({
    body: body.toString().slice(0, body.toString().length / 2),
  })),
  spoilt('answers-two-bodies', 'listBlockers', 'documented', json, ({ body }) => ({ body: `${body}${body}` })),
  spoilt('answers-nothing', 'listBlocked', 'documented', 'row 2 and part 1: the caller lists the users', () => ({
    body: '',
  })),
  spoilt('answers-nothing', 'reportOptions', 'documented', 'part 4, rule 2: the options are returned', () => ({
    body: '',
  })),
  spoilt('answers-nothing', 'evaluate', 'documented', 'part 4, rule 5: the default is the fallback value', () => ({
    body: '',
  })),
  spoilt('answers-json-in-a-string', 'listBlocked', 'documented', 'row 2: the response lists users', ({ body }) => ({
    body: JSON.stringify(body.toString()),
  })),
  spoilt('answers-nan', 'love', 'documented', json, () => ({ body: '{"loves":NaN}' })),
  spoilt('answers-single-quotes', 'unlove', 'documented', json, () => ({ body: "{'loved':false}" })),
  spoilt('claims-gzip', 'updateProfile', 'documented', json, (answer) => ({
    headers: { ...answer.headers, 'content-encoding': 'gzip' },
  })),
  spoilt('answers-a-padded-script', 'reportOptions', 'documented', json, ({ body }) => ({ body: `)]}',\n${body}` })),
  spoilt('shows-a-trace-in-place-of-json', 'deleteItem', 'documented', json, (answer) => ({
    status: 200,
    headers: { ...answer.headers, 'content-type': 'text/plain' },
    body: "TypeError: Cannot read properties of undefined (reading 'id')\n    at deleteItem (/srv/storage.js:7:11)",
  })),
]);
