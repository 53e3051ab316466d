import { join } from 'node:path';
import type { Globals, TestResult, TestResultContainer } from 'allure-js-commons';
import { FileSystemWriter } from 'allure-js-commons/sdk/reporter';
import { fileRoles, replaceFile } from '../../environment/files/index.ts';
import { redact, redactBytes } from '../../redaction/index.ts';

/**
 * Writes Allure's results without secrets, and without flushing: Allure's own writer flushes each file, and these thousands of flushes, of some
 * milliseconds each, took longer than the tests. If a power cut destroys results, another run creates new ones.
 */
export class ResultsWriter extends FileSystemWriter {
  readonly #folder: string;

  constructor(folder: string) {
    super({ resultsDir: folder });
    this.#folder = folder;
  }

  override writeResult(result: TestResult): void {
    this.writeAttachment(`${result.uuid}-result.json`, JSON.stringify(result));
  }

  override writeGroup(group: TestResultContainer): void {
    this.writeAttachment(`${group.uuid}-container.json`, JSON.stringify(group));
  }

  override writeGlobals(name: string, globals: Globals): void {
    this.writeAttachment(name, JSON.stringify(globals));
  }

  override writeAttachment(name: string, content: Buffer | string): void {
    const clean = typeof content === 'string' ? redact(content) : redactBytes(content);
    replaceFile(join(this.#folder, name), clean, fileRoles.output);
  }
}
