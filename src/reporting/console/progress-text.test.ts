import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progressText, type RunProgress } from './progress-text.ts';

const start: RunProgress = { total: 20, elapsedMs: 0, ended: [], underWay: [] };
const passed = Array.from({ length: 5 }, (_, index) => ({ title: `t${index}`, verdict: 'passed' as const }));

const rows: [name: string, progress: RunProgress, text: string][] = [
  ['at the start', start, '0/20 · 0.0 s'],
  [
    'what runs, by area',
    {
      ...start,
      elapsedMs: 1_234,
      underWay: [
        { title: 'love', area: 'stories' },
        { title: 'block', area: 'friends' },
        { title: 'list', area: 'friends' },
      ],
    },
    '0/20 · 1.2 s · Stories: love · Friends: block, list',
  ],
  [
    'how long still, once that can be guessed',
    { ...start, elapsedMs: 5_000, ended: passed },
    '5/20 · 5.0 s, about 15 s left',
  ],
  [
    'the time until anything ran is no part of the guess',
    { ...start, elapsedMs: 5_000, startMs: 2_000, ended: passed },
    '5/20 · 5.0 s, about 9.0 s left',
  ],
  ['no guess from too few', { ...start, elapsedMs: 5_000, ended: passed.slice(0, 2) }, '2/20 · 5.0 s'],
  [
    'what is red already; slow and unknown are not',
    {
      ...start,
      elapsedMs: 12_345,
      ended: [
        { title: 'love', verdict: 'failed' },
        { title: 'block', verdict: 'unreachable' },
        { title: 'list', verdict: 'slow' },
        { title: 'clone', verdict: 'unknown' },
      ],
      total: 4,
    },
    '4/4 · 12 s · 2 red: block',
  ],
];

for (const [name, progress, text] of rows) test(`progress: ${name}`, () => assert.equal(progressText(progress), text));
