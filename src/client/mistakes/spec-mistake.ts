import { type Claim, gradeOf, SuiteFault } from '../verdict/category.ts';
import { lineText, type SpecLine, specLineOf } from '../verdict/spec-line.ts';
import { type Facts, type MistakeName, mistakes } from './table.ts';

/**
 * A mistake in a spec: `tests/scenarios/love.spec.ts:12: what is wrong; what to do`. Its line is the spec's, also where the
 * suite noticed it; it says nothing about the service.
 */
export class SpecMistake extends SuiteFault {
  override readonly name = 'SpecMistake';
  override readonly category = 'spec-mistake';
  readonly mistake: MistakeName;
  #line: SpecLine | undefined;

  private constructor(mistake: MistakeName, text: string) {
    super(text);
    this.mistake = mistake;
  }

  /** A mistake at `line`; without it, at the spec's line that led here, if any did. */
  static of<N extends MistakeName>(mistake: N, facts: Facts<N>, line?: SpecLine): SpecMistake {
    const made = new SpecMistake(mistake, mistakeText(mistake, facts));
    return made.at(line ?? specLineOf(made.stack));
  }

  get line(): SpecLine | undefined {
    return this.#line;
  }

  /** Names the line, unless it is known: the first one is the nearest. */
  at(line: SpecLine | undefined): this {
    if (this.#line || !line) return this;
    this.#line = line;
    this.message = `${lineText(line)}: ${this.message}`;
    this.stack = `${this.name}: ${this.message}\n    at ${line.file}:${line.line}:${line.column ?? 1}`;
    return this;
  }
}

/** `problem; cure`, with the facts in place. */
export function mistakeText<N extends MistakeName>(name: N, facts: Facts<N>): string {
  const { problem, cure } = mistakes[name];
  const given: Readonly<Record<string, string>> = facts;
  return `${problem}; ${cure}`.replace(/\{(\w+)\}/g, (whole, fact: string) => given[fact] ?? whole);
}

/** @throws SpecMistake for a text that doesn't begin with a grade, which the compiler finds where it knows the text. */
export function assertGrade(call: string, claim: string | undefined): asserts claim is Claim {
  if (typeof claim !== 'string' || !gradeOf(claim)) throw SpecMistake.of('no grade', { call });
}
