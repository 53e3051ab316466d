import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../finding.ts';
import type { Stage } from '../stage.ts';
import { asTyped, calls } from './commands.ts';

/** Nobody's: neither the checkout nor the home is theirs. */
const UID = 65_534;

/** Everything is mounted read-only, except the folder $W; then the line runs as nobody. */
const enclosed = (line: string) =>
  `exec unshare -m bash -c 'mount --bind "$W" "$W" && mount -o remount,bind,ro / && exec setpriv --reuid=${UID} --regid=${UID} --clear-groups bash -c "$LINE"'`.replace(
    '$LINE',
    line.replaceAll('"', '\\"').replaceAll('$', '\\$'),
  );

/** Every command as uid 65534 with a read-only home, checkout and root: with one writable folder, and with none. */
export async function* foreignUser(stage: Stage): AsyncGenerator<Finding> {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') {
    yield { what: 'as another user', found: 'not tried: that needs root on Linux' };
    return;
  }
  stage.environment('own-users', { PROVISION_URL: stage.service.provisionUrl });
  chmodSync(stage.folder, 0o755);
  const clone = stage.clone();
  const writable = join(stage.folder, 'writable');
  for (const folder of [writable, join(writable, 'tmp')]) {
    mkdirSync(folder);
    chmodSync(folder, 0o777);
  }
  const at = (name: string) => join(writable, name);
  const common = { W: writable, TMPDIR: at('tmp'), SITE: at('site') };
  const folders = {
    SEXTANT_OUTPUT: at('output'),
    SEXTANT_STATE: at('state'),
    SEXTANT_SURVEYS: at('surveys'),
    SEXTANT_OBSERVED: at('observed'),
  };
  const probe = await stage.run(clone, enclosed('id -u; touch x || echo read-only'), common);
  yield {
    what: 'the enclosure',
    found: probe.said.trim().replaceAll('\n', ' '),
    holds: /65534[\s\S]*read-only$/.test(probe.said.trim()),
  };
  for (const call of calls) {
    const line = asTyped(call).replace(' monitor ', ` monitor --data ${at('data')} `);
    const { code, said } = await stage.run(clone, enclosed(line), { ...common, ...folders });
    const isClean = !said.includes('bug in Sextant');
    yield { what: call.line, found: `exit ${code}`, holds: isClean && call.codes.includes(code ?? -1), said };
  }
  for (const call of calls.filter(({ line }) => !/--env down|--json|serve|--site|compare/.test(line))) {
    const { code, said } = await stage.run(clone, enclosed(asTyped(call)), common);
    const [first = ''] = said.split('\n').filter((each) => /SEXTANT_\w+|--data/.test(each));
    const works = call.codes.includes(code ?? -1);
    const isClean = !said.includes('bug in Sextant') && (works || !/^ +at /m.test(said));
    yield {
      what: `${call.line}, with no writable folder`,
      found: works ? `exit ${code}` : `exit ${code}: ${first.replaceAll(stage.folder, '…').slice(0, 160)}`,
      holds: isClean && (works || (code === 2 && first !== '')),
      said,
    };
  }
}
