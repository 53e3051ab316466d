import type { Failure } from './failure.ts';
import { excerpt } from './failure-message.ts';
import { type Claim, isClaim } from './grade.ts';
import { lineText, type SpecLine, specLineOf } from './spec-line.ts';
import { SuiteFault } from './suite-error.ts';

/**
 * A mistake in a spec: `tests/scenarios/love.spec.ts:12: what is wrong; what to do`. Its line is the spec's, also where the
 * suite noticed it; it says nothing about the service.
 */
export class SpecMistake extends SuiteFault {
  override readonly name = 'SpecMistake';
  override readonly category = 'spec-mistake';
  #line: SpecLine | undefined;

  /** `text` is "problem; cure". Without `line`, the mistake is at the spec's line that led here, if any did. */
  constructor(text: string, line?: SpecLine) {
    super(text);
    this.at(line ?? specLineOf(this.stack));
  }

  /** All of several mistakes in one error, each on its own line; `undefined` if there are none. */
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

  /** Names the line, unless it is known: the first one is the nearest. */
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

/** @throws SpecMistake for a text that doesn't begin with a grade: types are stripped when specs run. */
export function assertGrade(call: string, claim: string | undefined): asserts claim is Claim {
  if (!isClaim(claim))
    throw new SpecMistake(`${call} states no grade; begin its text with \`documented: \` or \`assumed: \``);
}

/** The mistake of a spec that threw an error of its code; `error` is the error's text. */
export function threwError(error: string, line: SpecLine | undefined): SpecMistake {
  return new SpecMistake(`the spec threw ${error}; correct the line; it says nothing about the service`, line);
}
