import { join } from 'node:path';
import { redact } from '../../client/index.ts';
import { fileRoles, isThere, listFolder, readText, readTextIfAny, replaceText } from '../../config/files/index.ts';
import { ConfigurationError } from '../../config/index.ts';
import { outputFiles, outputFolder } from '../../scenario/index.ts';
import type { RunFacts } from '../run-facts.ts';
import type { Summary } from '../summary.ts';
import { type SitePage, siteIndex } from './site-index.ts';

/** The file of a page's figures, from which the first page is made. */
const PAGE = 'page.json';

/**
 * Puts the last run's report into the folder of a static site, in a folder named for its environments, with the history that
 * the next run continues; and makes the first page anew. Returns the path of the report.
 * @throws ConfigurationError without a report; FileTrouble
 */
export function publish(site: string): string {
  const files = outputFiles();
  const index = join(files.report, 'index.html');
  const run = readTextIfAny(files.run, fileRoles.output);
  const summary = readTextIfAny(files.summary, fileRoles.output);
  if (run === undefined || summary === undefined || !isThere(index, fileRoles.output))
    throw new ConfigurationError(`There is no report in ${outputFolder()} to publish: run \`npx sextant test\` first.`);
  const page = pageOf(JSON.parse(run) as RunFacts, JSON.parse(summary) as Summary);
  const folder = join(site, page.folder);
  const history = readTextIfAny(files.history, fileRoles.output);
  write(join(folder, 'index.html'), readText(index, fileRoles.output));
  if (history !== undefined) write(join(folder, 'history.jsonl'), history);
  write(join(folder, PAGE), `${JSON.stringify(page, null, 2)}\n`);
  write(join(site, 'index.html'), siteIndex(pagesOf(site)));
  return join(folder, 'index.html');
}

function pageOf({ run, environments }: RunFacts, { passed, failed, unknown, skipped }: Summary): SitePage {
  const names = Object.keys(environments).sort();
  const { startedAt = '', commit = null } = run ?? {};
  return { folder: names.join('+'), environments: names, startedAt, commit, passed, failed, unknown, skipped };
}

/** Every report on the site, by name. What isn't one is left alone. */
function pagesOf(site: string): SitePage[] {
  return listFolder(site, fileRoles.site)
    .sort()
    .flatMap((name) => {
      try {
        const text = readTextIfAny(join(site, name, PAGE), fileRoles.site);
        return text === undefined ? [] : [{ ...(JSON.parse(text) as SitePage), folder: name }];
      } catch {
        return [];
      }
    });
}

function write(path: string, text: string): void {
  replaceText(path, redact(text), fileRoles.site);
}
