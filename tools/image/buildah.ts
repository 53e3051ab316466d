import { type ChildProcess, execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import { type RunningCommand, startProgram } from '../../src/testing/programs/run-command.ts';
import { makeLocalBase, makeLocalRuntime } from './local-base.ts';

interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
  readonly Volumes: Readonly<Record<string, object>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

export type BuiltImage = ReturnType<typeof buildImage>;

function buildahIn(folder: string, ...args: readonly string[]): string {
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
  return execFileSync('buildah', [...store, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Builds deploy/Dockerfile on the bases that are in `folder`. */
function build(folder: string, tag: string, ...options: readonly string[]): void {
  const bases = ['BASE=localhost/base:test', 'RUNTIME=localhost/runtime:test'].flatMap((each) => ['--build-arg', each]);
  const file = ['--file', join(projectRoot, 'deploy', 'Dockerfile'), ...bases, '--tag', tag];
  buildahIn(folder, 'bud', '--isolation', 'chroot', '--pull-never', ...options, ...file, projectRoot);
}

/**
 * The digest of an image that is built from the start, with every file's time set, on the bases that `buildImage` left in `folder`. In OCI's
 * format: buildah writes the name of the container that it built in into Docker's.
 */
export function digestOfAnother(folder: string): string {
  build(folder, 'localhost/another:test', '--no-cache', '--timestamp', '1700000000', '--format', 'oci');
  const inspected = buildahIn(folder, 'inspect', '--type', 'image', 'localhost/another:test');
  return (JSON.parse(inspected) as { FromImageDigest: string }).FromImageDigest;
}

/** Builds deploy/Dockerfile with a base made here; everything is in `folder`. Needs root, buildah and debootstrap. */
export function buildImage(folder: string) {
  const buildah = (...args: string[]) => buildahIn(folder, ...args);
  const debian = join(folder, 'debian');
  const runtime = join(folder, 'runtime');
  const variables = Object.entries(makeLocalBase(debian)).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  makeLocalRuntime(debian, runtime);
  for (const [root, name, more] of [
    [debian, 'base', variables],
    [runtime, 'runtime', []],
  ] as const) {
    const scratch = buildah('from', 'scratch');
    buildah('add', '--quiet', scratch, root, '/');
    buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', ...more, scratch);
    buildah('commit', '--quiet', '--rm', scratch, `localhost/${name}:test`);
  }
  // Docker's format: OCI's has no HEALTHCHECK.
  build(folder, 'localhost/sextant:test', '--format', 'docker');
  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/sextant:test')) as {
    Docker: { config: ImageConfig };
  };
  const root = buildah('mount', buildah('from', '--pull-never', 'localhost/sextant:test'));
  const volume = join(folder, 'volume');
  mkdirSync(volume);
  const [uid = 0, gid = 0] = Docker.config.User.split(':').map(Number);
  chownSync(volume, uid, gid);
  return container(Docker.config, root, volume);
}

/** A container of an image; `root` is its root on this machine. */
function container(config: ImageConfig, root: string, volume: string) {
  const clean = (env: Readonly<Record<string, string>>) => [
    'env',
    '-i',
    ...config.Env,
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
  ];
  return {
    config,
    root,
    volume,
    /** Starts `args` in it: as the image's user, with its variables, a root that can't be written and the volume, as its first process. */
    start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
      const prepare = [
        'mount --bind "$0" "$0"',
        'mount --bind "$1" "$0/data"',
        'mount -t proc proc "$0/proc"',
        'mount --rbind /dev "$0/dev"',
        'mount -o remount,bind,ro "$0"',
        'cd "$0"; shift 1',
        // Before the change of the root, which has no such program.
        `exec ${clean(env).map(quoted).join(' ')} /usr/sbin/chroot --userspec=${config.User} . "$@"`,
      ];
      const namespaces = ['--mount', '--pid', '--fork', '--kill-child'];
      const command = [...config.Entrypoint, ...args];
      return startProgram('unshare', [...namespaces, 'sh', '-ec', prepare.join('\n'), root, volume, ...command]);
    },
    /** The image's health check beside a running container, with its variables and those in `env`. */
    isWell({ child }: RunningCommand, env: Readonly<Record<string, string>> = {}) {
      const [, ...words] = config.Healthcheck.Test;
      const inside = ['--target', firstProcess(child), '--mount', '--pid', '--root', '--wd'];
      try {
        const [set = '', ...variables] = clean({ ...environmentOf(firstProcess(child)), ...env });
        execFileSync(set, [...variables, '/usr/bin/nsenter', ...inside, ...words], { stdio: 'pipe' });
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** A word of a shell's line. */
const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** The process that is the first one of the container. */
export function firstProcess({ pid }: ChildProcess): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
}

function environmentOf(pid: string): Record<string, string> {
  const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}
