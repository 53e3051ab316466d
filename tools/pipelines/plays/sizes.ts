import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../finding.ts';
import type { Stage } from '../stage.ts';

/** What an install, a checkout and a run weigh. */
export async function* sizes(stage: Stage): AsyncGenerator<Finding> {
  stage.environment('own-users', { PROVISION_URL: stage.service.provisionUrl });
  const clone = stage.clone();
  const at = (...names: string[]) => join(clone, ...names);
  yield { what: 'npm ci', found: megabytes(at('node_modules')) };
  const runtime = execFileSync('bash', ['-c', 'du -cm node_modules/node-*/ | tail -1 | cut -f1'], {
    cwd: clone,
    encoding: 'utf8',
  });
  yield { what: '  of it the packaged runtime', found: `${runtime.trim()} MB` };
  await stage.run(clone, 'npx sextant test --env own-users --yes');
  yield { what: 'results of a run', found: megabytes(at('results')) };
  yield { what: '  of it the report', found: megabytes(at('results', 'report')) };
  rmSync(at('node_modules'), { recursive: true });
  const { code, said } = await stage.run(clone, 'npm ci --omit=dev --omit=optional');
  yield { what: 'npm ci --omit=dev --omit=optional', found: megabytes(at('node_modules')), holds: code === 0, said };
}

function megabytes(path: string): string {
  return `${execFileSync('du', ['-sm', path], { encoding: 'utf8' }).split('\t')[0]} MB`;
}
