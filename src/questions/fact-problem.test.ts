import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fact } from '../facts/index.ts';
import { factProblem } from './index.ts';

const fact = (operation: string, question: string, answer: string): Fact => {
  return { operation, question, answer, evidence: 'written by hand', askedAt: '2026-11-27' };
};

const problems: [fact: Fact, problem: RegExp][] = [
  [fact('lovely', 'repeat', 'accepted'), /^operation is none of block, /],
  [fact('love', 'repeats', 'accepted'), /^question is none that is asked about love: success-status, .*repeat/],
  [fact('love', 'missing-header:app-ver', 'accepted'), /^question is none/],
  [fact('love', 'repeat', 'sometimes'), /^answer "sometimes" is not one of: accepted, or refused/],
  [fact('cloneType', 'type-version', 'other'), /^answer "other" is not one of: source: .*; copy: /],
];
for (const [wrong, problem] of problems)
  test(`${wrong.question} of ${wrong.operation} is ${wrong.answer}: that is a mistake`, () =>
    assert.match(factProblem(wrong) ?? '', problem));
