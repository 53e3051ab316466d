import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Globals, TestResult, TestResultContainer } from 'allure-js-commons';
import { FileSystemWriter } from 'allure-js-commons/sdk/reporter';
import { redact, redactBytes } from '../../client/index.ts';

/**
 * Writes Allure's results while the tests run on: Playwright starts no test while a reporter waits for the disk. It doesn't flush
 * each file as Allure's own writer does: thousands of flushes, each of some milliseconds, took longer than the tests. What a power
 * cut takes away, another run makes again.
 */
export class ResultsWriter extends FileSystemWriter {
  readonly #folder: string;
  readonly #underWay = new Set<Promise<void>>();
  #trouble: unknown;

  /** The folder must be there. */
  constructor(folder: string) {
    super({ resultsDir: folder });
    this.#folder = folder;
  }

  override writeResult(result: TestResult): void {
    this.#writeLast(`${result.uuid}-result.json`, JSON.stringify(result));
  }

  override writeGroup(group: TestResultContainer): void {
    this.#writeLast(`${group.uuid}-container.json`, JSON.stringify(group));
  }

  override writeGlobals(name: string, globals: Globals): void {
    this.#writeLast(name, JSON.stringify(globals));
  }

  override writeAttachment(name: string, content: Buffer): void {
    this.#track(() => writeFile(join(this.#folder, name), redactBytes(content)));
  }

  /**
   * Waits until everything is written.
   * @throws the error of the first file that could not be.
   */
  async end(): Promise<void> {
    await Promise.all(this.#underWay);
    if (this.#trouble) throw this.#trouble;
  }

  /** Other programs see whole files alone: what names attachments is there after them, and all at once. */
  #writeLast(name: string, text: string): void {
    const before = [...this.#underWay];
    const unfinished = join(this.#folder, `.${name}.tmp`);
    this.#track(async () => {
      await Promise.all(before);
      await writeFile(unfinished, redact(text));
      await rename(unfinished, join(this.#folder, name));
    });
  }

  #track(work: () => Promise<void>): void {
    const done = work()
      .catch((error: unknown) => {
        this.#trouble ??= error;
      })
      .finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }
}
