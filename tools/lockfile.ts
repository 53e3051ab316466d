import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../src/environment/project-root.ts';

/** A package in a lockfile. */
interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
}

/** Packages by their folders; `''` is the project itself. */
export type Packages = Readonly<Record<string, Locked>>;

const LOCKFILE = 'package-lock.json';

/** The packages of a lockfile of the project; none, if there is no such file. */
export function packagesIn(name = LOCKFILE): Packages {
  const path = join(projectRoot, name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { packages: Packages }).packages : {};
}

/** Licences that installed packages may have. All of them allow distribution in proprietary software. */
const accepted =
  /^(MIT|MIT-0|ISC|BSD-[23]-Clause|Apache-2\.0|0BSD|BlueOak-1\.0\.0|Python-2\.0|\(MPL-2\.0 OR Apache-2\.0\)|\(MIT AND Zlib\))$/;

/** The folders that `npm ci --omit=dev` installs. Links are left out: they lead to the project's own launcher. */
export function runtimePackages(): string[] {
  return Object.entries(packagesIn())
    .filter(([, { dev, optional, devOptional, link }]) => !dev && !optional && !devOptional && !link)
    .map(([path]) => path)
    .filter((path) => path.startsWith('node_modules/'));
}

/** The packages that come with Sextant, with their versions, by licence. */
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

/** Packages with a licence that is not accepted, so that somebody must examine it first. */
export function unaccepted(licences = licencesOf()): string[] {
  return [...licences].flatMap(([license, names]) =>
    accepted.test(license) ? [] : names.map((name) => `${name}: ${license}`),
  );
}

/** Complaints about the project's lockfile. */
export function lockfileComplaints(): string[] {
  const text = readFileSync(join(projectRoot, LOCKFILE), 'utf8');
  return [
    ...(/"resolved": "https?:/.test(text)
      ? [`${LOCKFILE} contains addresses of a registry. Run \`npm install --package-lock-only\`.`]
      : []),
    ...unaccepted().map(
      (found) => `${LOCKFILE}: ${found}. Add the licence to \`accepted\` in tools/lockfile.ts, or do without.`,
    ),
  ];
}
