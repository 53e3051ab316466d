import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange, HttpResponse } from '../exchange.ts';
import { mishandling } from './mishandling.ts';

const rows: [name: string, text: string, told: RegExp | undefined, echoedSecret?: true][] = [
  ['no body', '', undefined],
  ['a plain refusal', '{"error":{"code":"invalid_body","message":"friendId: must be string at /friendId"}}', undefined],
  ['a place in the body', '{"at":"/items/0","line":12}', undefined],
  ['a web page', '<html>Bad Request</html>', /not valid JSON/],
  ['JavaScript', JSON.stringify({ stack: 'TypeError: x\n    at block (/srv/a.js:12:7)' }), /stack trace/],
  ['JavaScript, nameless', JSON.stringify({ stack: 'E\n    at file:///srv/a.js:12:7' }), /stack trace/],
  ['Java', JSON.stringify({ trace: 'NPE\n\tat org.flags.Evaluate.run(Evaluate.java:42)' }), /stack trace/],
  ['Python', JSON.stringify('Traceback (most recent call last):\n  File "a.py", line 3'), /stack trace/],
  ['.NET', JSON.stringify('   at App.Block.Run(String id) in C:\\a\\Block.cs:line 9'), /stack trace/],
  ['PHP', JSON.stringify('#0 /srv/index.php(12): run()'), /stack trace/],
  ['a credential', '{"token":"***"}', /credential/, true],
];

for (const [name, text, told, echoedSecret] of rows) {
  test(`mishandling: ${name}`, () => {
    const value = parsed(text);
    const response = { status: 400, statusText: 'Bad Request', headers: [], body: { bytes: 0, text, json: value } };
    const found = mishandling({ response, ...(echoedSecret ? { echoedSecret } : {}) } as unknown as Exchange & {
      response: HttpResponse;
    });
    if (told) assert.match(found ?? '', told);
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
