import { excerpt } from '../verdict/failure-message.ts';
import type { Note, Observer } from './observer.ts';

/** Notes of one scenario: each text once. */
export class NoteOnce {
  readonly #observer: Observer;
  readonly #noted = new Set<string>();

  constructor(observer: Observer) {
    this.#observer = observer;
  }

  /** Passes a note on; whether it is new. */
  note(kind: Note['kind'], words: string): boolean {
    // Field names come from the service, so a terminal must not interpret them.
    const text = excerpt(words, 600);
    if (!this.isNew(text)) return false;
    this.#observer.noted?.({ kind, text });
    return true;
  }

  /** Remembers a text without passing it on; whether it is new. */
  isNew(text: string): boolean {
    const { size } = this.#noted;
    return this.#noted.add(text).size > size;
  }
}
