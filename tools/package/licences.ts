import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';

/** What package-lock.json has of each package. */
interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
}

/** What everything that is installed with the package may be under: all let it be passed on in a program that is not free. */
const accepted =
  /^(MIT|MIT-0|ISC|BSD-[23]-Clause|Apache-2\.0|0BSD|BlueOak-1\.0\.0|Python-2\.0|\(MPL-2\.0 OR Apache-2\.0\)|\(MIT AND Zlib\))$/;

type Packages = Readonly<Record<string, Locked>>;

function lockedPackages(): Packages {
  return JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')).packages;
}

/** The folders that `npm ci --omit=dev --omit=optional` installs; a link is the project's own launcher. */
export function runtimePackages(): string[] {
  return Object.entries(lockedPackages())
    .filter(([, { dev, optional, devOptional, link }]) => !dev && !optional && !devOptional && !link)
    .map(([path]) => path)
    .filter((path) => path.startsWith('node_modules/'));
}

/** By licence: the packages that come with Sextant, with their versions. */
export function licencesOf(packages = lockedPackages()): ReadonlyMap<string, readonly string[]> {
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
