import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange, HttpResponse } from '../http/exchange.ts';
import { mishandling } from './judge.ts';

interface Shown {
  readonly status?: number;
  readonly type?: string;
  readonly echoedSecret?: true;
}

const rows: [name: string, text: string, reported: RegExp | undefined, shown?: Shown][] = [
  ['no body', '', undefined],
  ['a plain refusal', '{"error":{"code":"invalid_body","message":"friendId: must be string at /friendId"}}', undefined],
  ['a place in the body', '{"at":"/items/0","line":12}', undefined],
  ['a page', '<html>Bad Request</html>', undefined, { type: 'text/html' }],
  ['a text', 'Bad Request', undefined, { type: 'text/plain; charset=utf-8' }],
  ['a text of no type', 'Bad Request', undefined],
  ['a page that says it is JSON', '<html>Bad Request</html>', /not valid JSON/, { type: 'application/json' }],
  ['a page that says it is a problem', '<html>Bad', /not valid JSON/, { type: 'application/problem+json' }],
  ['a text in place of a success', 'OK', /not valid JSON/, { status: 200, type: 'text/plain' }],
  ['a trace in a text', 'TypeError: x\n    at block (/srv/a.js:12:7)', /stack trace/, { type: 'text/plain' }],
  ['JavaScript', JSON.stringify({ stack: 'TypeError: x\n    at block (/srv/a.js:12:7)' }), /stack trace/],
  ['JavaScript, nameless', JSON.stringify({ stack: 'E\n    at file:///srv/a.js:12:7' }), /stack trace/],
  ['Java', JSON.stringify({ trace: 'NPE\n\tat org.flags.Evaluate.run(Evaluate.java:42)' }), /stack trace/],
  ['Python', JSON.stringify('Traceback (most recent call last):\n  File "a.py", line 3'), /stack trace/],
  ['.NET', JSON.stringify('   at App.Block.Run(String id) in C:\\a\\Block.cs:line 9'), /stack trace/],
  ['PHP', JSON.stringify('#0 /srv/index.php(12): run()'), /stack trace/],
  ['a credential', '{"token":"***"}', /credential/, { echoedSecret: true }],
];

for (const [name, text, reported, { status = 400, type, echoedSecret } = {}] of rows) {
  test(`mishandling: ${name}`, () => {
    const value = parsed(text);
    const headers = type ? [['content-type', type]] : [];
    const response = { status, statusText: '', headers, body: { bytes: 0, text, json: value } };
    const found = mishandling({ response, ...(echoedSecret ? { echoedSecret } : {}) } as unknown as Exchange & {
      response: HttpResponse;
    });
    if (reported) assert.match(found ?? '', reported);
    else assert.equal(found, undefined);
  });
}

function parsed(text: string): HttpResponse['body']['json'] {
  if (text === '') return { ok: false, problem: 'empty' };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, problem: 'not valid JSON' };
  }
}
