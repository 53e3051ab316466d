import assert from 'node:assert/strict';
import { test } from 'node:test';
import { correlationHeaders } from './correlation-headers.ts';

test('all processes of a run share its trace, and no other run does; its id may be left out', () => {
  const traceOf = (runId: string) => correlationHeaders(runId)()['traceparent']?.split('-')[1];
  assert.equal(traceOf('run-1'), traceOf('run-1'));
  assert.notEqual(traceOf('run-1'), traceOf('run-2'));
  assert.equal(correlationHeaders('run-1')()['x-sextant-run'], 'run-1');
  assert.deepEqual(Object.keys(correlationHeaders('run-1', null)()).sort(), ['traceparent', 'user-agent']);
});
