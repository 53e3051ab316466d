import assert from 'node:assert/strict';
import { test } from 'node:test';
import { correlationHeaders, userAgent } from './correlation-headers.ts';

test('every request says name and version, its run, and a trace of its own', () => {
  const marks = correlationHeaders('run-1');
  const [first, second] = [marks(), marks()];
  assert.match(userAgent, /^sextant\/\d+\.\d+\.\d+/);
  assert.equal(first['user-agent'], userAgent);
  assert.equal(first['x-sextant-run'], 'run-1');
  assert.match(first['traceparent'] ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  const [, trace, span] = first['traceparent']?.split('-') ?? [];
  const [, sameTrace, otherSpan] = second['traceparent']?.split('-') ?? [];
  assert.equal(trace, sameTrace);
  assert.notEqual(span, otherSpan);
});

test('all processes of a run share its trace, and no other run does; its id may be left out', () => {
  const traceOf = (runId: string) => correlationHeaders(runId)()['traceparent']?.split('-')[1];
  assert.equal(traceOf('run-1'), traceOf('run-1'));
  assert.notEqual(traceOf('run-1'), traceOf('run-2'));
  assert.deepEqual(Object.keys(correlationHeaders('run-1', null)()).sort(), ['traceparent', 'user-agent']);
});
