import { join } from 'node:path';
import type { Finding } from '../finding.ts';
import type { Stage } from '../stage.ts';
import { asTyped, calls } from './commands.ts';

/** Every command with a reader that stops after a line: the exit code is the verdict's, or 141. */
export async function* pipefail(stage: Stage): AsyncGenerator<Finding> {
  stage.environment('own-users', { PROVISION_URL: stage.service.provisionUrl });
  const clone = stage.clone();
  const env = {
    SITE: join(clone, 'site'),
    SEXTANT_SURVEYS: join(clone, 'surveys'),
    SEXTANT_OBSERVED: join(clone, 'observed'),
  };
  for (const call of calls.filter(({ line }) => !line.startsWith('timeout'))) {
    const { code, said } = await stage.run(clone, `set -o pipefail; ${asTyped(call)} | head -1`, env);
    const holds = [...call.codes, 141].includes(code ?? -1);
    yield { what: `${call.line} | head -1`, found: `exit ${code}`, holds, said };
  }
}
