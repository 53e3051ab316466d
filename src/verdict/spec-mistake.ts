import type { Failure } from './failure.ts';
import { excerpt } from './failure-message.ts';
import { type Claim, isClaim } from './grade.ts';
import { lineText, type SpecLine, specLineOf } from './spec-line.ts';
import { SuiteFault } from './suite-error.ts';

/**
 * A mistake in a spec: `tests/scenarios/love.spec.ts:12: the mistake, and its cure`. The line is in the spec, even if Sextant's own code
 * noticed the mistake. A mistake says nothing about the service.
 */
export class SpecMistake extends SuiteFault {
  override readonly name = 'SpecMistake';
  override readonly category = 'spec-mistake';
  #line: SpecLine | undefined;

  /** `text` has the form "problem; cure". If `line` is missing, the mistake gets the spec's line in the current stack, if any. */
  constructor(text: string, line?: SpecLine) {
    super(text);
    this.at(line ?? specLineOf(this.stack));
  }

  /** Joins mistakes in one error, each on its own line; `undefined` if there are none. */
  static all(mistakes: readonly SpecMistake[]): SpecMistake | undefined {
    const [first] = mistakes;
    if (mistakes.length < 2) return first;
    const all = new SpecMistake('');
    all.#line = undefined;
    all.message = mistakes.map(({ message }) => message).join('\n');
    return all.#placed(first?.line);
  }

  override get failure(): Failure {
    const mistakes = this.message.split('\n').map((each) => excerpt(each, 700));
    return { ...super.failure, reason: mistakes.join(' · ') };
  }

  get line(): SpecLine | undefined {
    return this.#line;
  }

  /** Sets the line of the mistake. A line that is already set stays, because the first one is nearest to the mistake. */
  at(line: SpecLine | undefined): this {
    if (this.#line || !line) return this;
    this.message = `${lineText(line)}: ${this.message}`;
    return this.#placed(line);
  }

  #placed(line: SpecLine | undefined): this {
    this.#line = line;
    this.stack = `${this.name}: ${this.message}${line ? `\n    at ${line.file}:${line.line}:${line.column ?? 1}` : ''}`;
    return this;
  }
}

/** @throws SpecMistake for a text that doesn't begin with a grade. Types can't ensure this, because specs run without type checks. */
export function assertGrade(call: string, claim: string | undefined): asserts claim is Claim {
  if (!isClaim(claim))
    throw new SpecMistake(`${call} states no grade; begin its text with \`documented: \` or \`assumed: \``);
}

/** The mistake for a spec whose own code threw an error. `error` is the text of this error. */
export function threwError(error: string, line: SpecLine | undefined): SpecMistake {
  return new SpecMistake(`the spec threw ${error}; correct the line; it says nothing about the service`, line);
}
