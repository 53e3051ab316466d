import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Debian can't be had here: no mirror is reached, or devices can't be made. */
export class NoDebian extends Error {
  override readonly name = 'NoDebian';
}

/** What Node needs of a system, beyond the smallest Debian. */
const PACKAGES = 'ca-certificates,libatomic1,libstdc++6';

/**
 * Fills `root` with a small Debian, this process' Node and this machine's npm, set up as npm is here: what `FROM` brings where images can't
 * be pulled. Returns the variables that npm needs in it.
 * @throws NoDebian
 */
export function makeLocalBase(root: string): Readonly<Record<string, string>> {
  try {
    execFileSync('debootstrap', ['--variant=minbase', `--include=${PACKAGES}`, 'bookworm', root], { stdio: 'pipe' });
  } catch (error) {
    const { stdout = '' } = error as { readonly stdout?: Buffer | string };
    throw new NoDebian(`debootstrap failed: ${String(stdout).trim().split('\n').at(-1)}`);
  }
  for (const unused of ['var/lib/apt/lists', 'var/cache/apt', 'usr/share/doc', 'usr/share/man', 'usr/share/locale'])
    rmSync(join(root, unused), { recursive: true, force: true });
  const local = join(root, 'usr', 'local');
  copyFileSync(process.execPath, join(local, 'bin', 'node'));
  const npm = dirname(dirname(execFileSync('readlink', ['-f', which('npm')], { encoding: 'utf8' }).trim()));
  mkdirSync(join(local, 'lib', 'node_modules'), { recursive: true });
  cpSync(npm, join(local, 'lib', 'node_modules', 'npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin', 'npm'));
  for (const [kind, path] of [
    ['userconfig', 'root/.npmrc'],
    ['globalconfig', 'usr/local/etc/npmrc'],
    // The configuration names it by its path.
    ['cafile', undefined],
  ] as const) {
    const file = execFileSync('npm', ['config', 'get', kind], { encoding: 'utf8' }).trim();
    const copy = join(root, path ?? file);
    mkdirSync(dirname(copy), { recursive: true });
    if (existsSync(file)) copyFileSync(file, copy);
  }
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
  if (!certificates) return {};
  copyFileSync(certificates, join(local, 'share', 'certificates.pem'));
  return { NODE_EXTRA_CA_CERTS: '/usr/local/share/certificates.pem' };
}

/** Fills `root` with what Node needs of that Debian, and no program: what the image's own base brings where images can't be pulled. */
export function makeLocalRuntime(debian: string, root: string): void {
  for (const path of ['etc/ssl', 'usr/lib', 'usr/share/ca-certificates'])
    cpSync(join(debian, path), join(root, path), { recursive: true, verbatimSymlinks: true });
  for (const path of ['lib', 'lib64', 'usr/lib64'])
    if (existsSync(join(debian, path)))
      cpSync(join(debian, path), join(root, path), { recursive: true, verbatimSymlinks: true });
  for (const path of ['dev', 'proc', 'tmp', 'usr/local/bin']) mkdirSync(join(root, path), { recursive: true });
}

/** The first one on the path that is not a project's. */
function which(program: string): string {
  const all = execFileSync('which', ['-a', program], { encoding: 'utf8' }).trim().split('\n');
  return all.find((path) => !path.includes('node_modules/.bin')) ?? program;
}
