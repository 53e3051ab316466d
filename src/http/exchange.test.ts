import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { correlationHeaders, newTraceId, userAgent } from './correlation-headers.ts';
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

test('each request of a trace is a span of its own; the trace and the id of the run may be left out', () => {
  const trace = newTraceId();
  const headers = correlationHeaders('run-1', 'x-run', trace);
  const [, id, span, flags] = headers()['traceparent']?.split('-') ?? [];
  assert.deepEqual([id, flags], [trace, '01']);
  assert.notEqual(span, headers()['traceparent']?.split('-')[2]);
  assert.deepEqual(correlationHeaders('run-1', 'x-run', undefined)(), { 'user-agent': userAgent, 'x-run': 'run-1' });
  assert.deepEqual(Object.keys(correlationHeaders('run-1', null, trace)()).sort(), ['traceparent', 'user-agent']);
});
