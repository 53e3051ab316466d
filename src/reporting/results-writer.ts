import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Globals, TestResult, TestResultContainer } from 'allure-js-commons';
import { ALLURE_HTTP_EXCHANGE_FILE_EXTENSION } from 'allure-js-commons/http';
import { FileSystemWriter } from 'allure-js-commons/sdk/reporter';
import { redact, redactBytes, writeArtifact } from '../client/index.ts';

/**
 * Writes Allure's results, but doesn't flush each file to the disk as Allure's own writer does: thousands of flushes, each of
 * some milliseconds, took longer than the tests. What a power cut takes away, another run makes again.
 */
export class ResultsWriter extends FileSystemWriter {
  readonly #folder: string;

  /** The folder must be there. */
  constructor(folder: string) {
    super({ resultsDir: folder });
    this.#folder = folder;
  }

  override writeResult(result: TestResult): void {
    this.#write(`${result.uuid}-result.json`, JSON.stringify(result));
  }

  override writeGroup(group: TestResultContainer): void {
    this.#write(`${group.uuid}-container.json`, JSON.stringify(group));
  }

  override writeGlobals(name: string, globals: Globals): void {
    this.#write(name, JSON.stringify(globals));
  }

  /** An exchange becomes two files: what Allure shows of it, and its curl line as a text. */
  override writeAttachment(name: string, content: Buffer): void {
    if (name.endsWith(ALLURE_HTTP_EXCHANGE_FILE_EXTENSION)) {
      const { curl = '', ...exchange } = JSON.parse(content.toString()) as { curl?: string };
      this.#write(name, JSON.stringify(exchange));
      this.#write(curlFileOf(name), curl);
    } else this.#write(name, content);
  }

  /** Other programs see whole files alone. */
  #write(name: string, content: string | Buffer): void {
    const unfinished = join(this.#folder, `.${name}.tmp`);
    writeArtifact(unfinished, typeof content === 'string' ? redact(content) : redactBytes(content));
    renameSync(unfinished, join(this.#folder, name));
  }
}

/** The file of the curl line, beside the file of its exchange. */
export function curlFileOf(exchangeFile: string): string {
  return exchangeFile.replace(ALLURE_HTTP_EXCHANGE_FILE_EXTENSION, '-curl.txt');
}
