/** Longer texts hardly ever come again. */
const LONGEST = 200;

/** So many texts are remembered before all are forgotten. */
const MOST = 1_000;

/** Texts in which a search found no secret: the headers of one response are nearly all those of the one before. */
export class CleanTexts {
  readonly #texts = new Set<string>();

  has(text: string): boolean {
    return text.length <= LONGEST && this.#texts.has(text);
  }

  add(text: string): void {
    if (text.length > LONGEST) return;
    if (this.#texts.size >= MOST) this.#texts.clear();
    this.#texts.add(text);
  }
}
