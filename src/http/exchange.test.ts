import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { correlationHeaders } from './correlation-headers.ts';
import { curlLine } from './exchange.ts';

test('a curl line survives a shell: quotes, newlines and dollar signs arrive as they were', () => {
  const body = `{"message":"it's $HOME \\n \`x\`"}`;
  const line = curlLine({
    method: 'POST',
    url: 'http://127.0.0.1:1/v1/a?b=c&d',
    headers: { 'x-a': "o'clock", 'x-empty': '' },
    body,
  });
  const echoed = execFileSync('sh', ['-c', line.replace(/^curl/, "printf '%s\\n'")]).toString();
  const words = ['-sS', '-X', 'POST', 'http://127.0.0.1:1/v1/a?b=c&d', '-H', "x-a: o'clock", '-H', 'x-empty;'];
  assert.equal(echoed, [...words, '--data-raw', body, ''].join('\n'));
});

test('all processes of a run share its trace, and no other run does; its id may be left out', () => {
  const traceOf = (runId: string) => correlationHeaders(runId)()['traceparent']?.split('-')[1];
  assert.equal(traceOf('run-1'), traceOf('run-1'));
  assert.notEqual(traceOf('run-1'), traceOf('run-2'));
  assert.equal(correlationHeaders('run-1')()['x-sextant-run'], 'run-1');
  assert.deepEqual(Object.keys(correlationHeaders('run-1', null)()).sort(), ['traceparent', 'user-agent']);
});
