import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileRoles, readText, remove, replaceText } from '../../environment/files/index.ts';
import { counted, shown } from '../../environment/index.ts';
import { ownModule, workFolder } from '../../environment/project-root.ts';
import { readOutcomes, reportPage } from '../../playwright/index.ts';
import { causeLine, causesOf } from '../../run/index.ts';
import { mendHistory, outputFiles, outputFolder } from '../../scenario/index.ts';
import { warn } from '../output/terminal.ts';

const require = createRequire(import.meta.url);

/** Maximum size of the report's page. Even a report of ten thousand tests is smaller. */
const MOST_BYTES = 500_000_000;

/**
 * Builds the Allure report of the last run, and returns the path of its first page.
 * @throws Error with Allure's output if Allure fails; AbortError if `signal` is aborted
 */
export async function makeReport(env = process.env, signal?: AbortSignal): Promise<string> {
  const { report, outcomes, history } = outputFiles(outputFolder(env));
  const lost = mendHistory(outputFolder(env));
  if (lost > 0)
    warn(`Ignored ${counted(lost, 'incomplete line')} of ${shown(history)}, so the trends lack as many runs.`);
  // If the folder isn't empty, Allure adds the new report to the old one.
  remove(report, fileRoles.output);
  const { code, text } = await generate(env, signal);
  if (code !== 0) throw new Error(`Allure could not build the report:\n${text}`);
  const page = join(report, 'index.html');
  const html = readText(page, fileRoles.output, MOST_BYTES);
  const causes = causesOf(readOutcomes(outcomes)).map((cause) => `${cause.environment} · ${causeLine(cause)}`);
  // Allure's page contains a script that sends usage data, so remove this page first. If `reportPage` then fails, nobody can publish
  // Allure's page by mistake.
  remove(page, fileRoles.output);
  replaceText(page, reportPage(html, causes), fileRoles.output);
  return page;
}

async function generate(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<{ code: number | null; text: string }> {
  const { allureResults } = outputFiles(outputFolder(env));
  // Allure doesn't export the path of its command.
  const program = join(dirname(require.resolve('allure')), '..', 'cli.js');
  const child = spawn(process.execPath, [program, 'generate', '--config', ownModule('allurerc'), allureResults], {
    cwd: workFolder,
    // Lets Node load the configuration. Otherwise, Allure would first compile everything that the configuration imports with Babel.
    env: { ...env, JITI_TRY_NATIVE: '1' },
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text: Buffer.concat(said).toString().trim() };
}
