import {
  type Facts,
  lineText,
  type MistakeName,
  mistakeText,
  type SpecLine,
  SpecMistake,
} from '../../src/client/index.ts';
import type { Node } from './syntax.ts';

export interface Found {
  readonly mistake: MistakeName;
  readonly line: SpecLine;
  /** What is wrong and what to do. */
  readonly text: string;
}

/** A spec that is being read, with what was found in it. */
export class SpecFile {
  readonly file: string;
  readonly found: Found[] = [];
  /** Its scenarios whose titles are literal. */
  readonly titles: { readonly title: string; readonly line: SpecLine }[] = [];
  readonly #text: string;

  constructor(file: string, text: string) {
    this.file = file;
    this.#text = text;
  }

  /** Where an offset, or a node's beginning, is. */
  lineOf(at: number | Node): SpecLine {
    const start = typeof at === 'number' ? at : at.start;
    return { file: this.file, line: this.#text.slice(0, start).split('\n').length };
  }

  sourceOf(node: Node): string {
    return this.#text.slice(node.start, node.end);
  }

  add<N extends MistakeName>(at: number | Node, mistake: N, facts: Facts<N>): void {
    this.found.push({ mistake, line: this.lineOf(at), text: mistakeText(mistake, facts) });
  }

  /** Adds the mistake that `check` throws or returns. */
  keep(at: Node, check: () => unknown): void {
    const add = ({ mistake, text }: SpecMistake) => this.found.push({ mistake, line: this.lineOf(at), text });
    try {
      const made = check();
      if (made instanceof SpecMistake) add(made);
    } catch (error) {
      if (!(error instanceof SpecMistake)) throw error;
      add(error);
    }
  }
}

/** `tests/scenarios/love.spec.ts:12: what is wrong; what to do`. */
export function foundText({ line, text }: Found): string {
  return `${lineText(line)}: ${text}`;
}
