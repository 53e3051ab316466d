import {
  type Facts,
  lineText,
  type MistakeName,
  mistakeText,
  type SpecLine,
  SpecMistake,
} from '../../src/client/index.ts';
import { lineAt } from '../sources.ts';
import type { Node } from './syntax.ts';

export interface Found {
  readonly mistake: MistakeName;
  readonly line: SpecLine;
  /** What is wrong and what to do. */
  readonly text: string;
}

/** A spec that is being read, with what was found in it. */
export class SpecFile {
  readonly found: Found[] = [];
  /** Its scenarios whose titles are literal. */
  readonly titles: { readonly title: string; readonly line: SpecLine }[] = [];
  readonly #file: string;
  readonly #text: string;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  /** Where a node begins. */
  lineOf({ start }: Node): SpecLine {
    return { file: this.#file, line: lineAt(this.#text, start) };
  }

  sourceOf({ start, end }: Node): string {
    return this.#text.slice(start, end);
  }

  add<N extends MistakeName>(at: Node, mistake: N, facts: Facts<N>): void {
    this.found.push({ mistake, line: this.lineOf(at), text: mistakeText(mistake, facts) });
  }

  /** Adds the mistake that `check` throws. */
  keep(at: Node, check: () => unknown): void {
    try {
      check();
    } catch (error) {
      if (!(error instanceof SpecMistake)) throw error;
      this.found.push({ mistake: error.mistake, line: this.lineOf(at), text: error.text });
    }
  }
}

/** `tests/scenarios/love.spec.ts:12: what is wrong; what to do`. */
export function foundText({ line, text }: Found): string {
  return `${lineText(line)}: ${text}`;
}
