import { type Asker, problemOf, type TextQuestion } from '../../cli/connect/guided/prompts/asker.ts';

/** Answers by the question's message: a text, a choice, or what to do at each asking. */
export type Script = Readonly<Record<string, string | ((times: number) => string)>>;

/** A person whose answers are known before; everything else is answered by Enter, which takes the suggestion or the first choice. */
export class ScriptedAsker implements Asker {
  /** Everything that was said, in order, with the questions. */
  readonly heard: string[] = [];
  readonly #script: Script;
  readonly #times = new Map<string, number>();

  constructor(script: Script) {
    this.#script = script;
  }

  async text(question: TextQuestion): Promise<string> {
    const answer = this.#answer(question.message) ?? question.suggestion ?? '';
    const { problem } = problemOf(question, answer) ?? {};
    this.heard.push(`? ${question.message}`);
    if (problem) throw new Error(`${question.message} refuses the answer: ${problem}`);
    return answer;
  }

  async choose<T extends string>(message: string, choices: readonly { value: T }[], suggestion?: T): Promise<T> {
    this.heard.push(`? ${message} ${choices.map(({ value }) => value).join('|')}`);
    const answer = this.#answer(message) ?? suggestion ?? choices[0]?.value;
    const chosen = choices.find(({ value }) => value === answer);
    if (!chosen) throw new Error(`${message} has no choice ${answer}`);
    return chosen.value;
  }

  say(text: string): void {
    this.heard.push(text);
  }

  get said(): string {
    return this.heard.join('\n');
  }

  #answer(message: string): string | undefined {
    const times = (this.#times.get(message) ?? 0) + 1;
    this.#times.set(message, times);
    const answer = this.#script[message];
    return typeof answer === 'function' ? answer(times) : answer;
  }
}
