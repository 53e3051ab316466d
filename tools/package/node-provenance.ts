import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';

/** A packaged Node: the file, and what nodejs.org calls its version and platform, e.g. `linux-x64`. */
export interface PackagedNode {
  readonly file: string;
  readonly version: string;
  readonly platform: string;
}

export interface Provenance {
  readonly isOfficial: boolean | undefined;
  readonly text: string;
}

/**
 * The packaged Nodes are put into npm packages by somebody other than the Node.js project: compares one with the program in the
 * archive that `from` offers for its version, after the archive's own checksum.
 */
export async function provenanceOf({ file, version, platform }: PackagedNode, from: string): Promise<Provenance> {
  const release = `${from}/v${version}`;
  const name = `node-v${version}-${platform}`;
  const archive = `${name}.tar.gz`;
  try {
    const sums = new TextDecoder().decode(await load(`${release}/SHASUMS256.txt`));
    const sumOf = (path: string) =>
      sums
        .split('\n')
        .find((line) => line.endsWith(`  ${path}`))
        ?.split(' ')[0];
    const own = hash('sha256', readFileSync(file));
    if (platform.startsWith('win-')) return compared(own, sumOf(`${platform}/node.exe`), release);
    const packed = await load(`${release}/${archive}`);
    if (hash('sha256', packed) !== sumOf(archive))
      return { isOfficial: false, text: `${release}/${archive} does not have the checksum in SHASUMS256.txt` };
    const args = ['-xzOf', '-', `${name}/bin/node`];
    return compared(own, hash('sha256', execFileSync('tar', args, { input: packed, maxBuffer: 1e9 })), release);
  } catch (error) {
    const { cause, message } = error as Error;
    return { isOfficial: undefined, text: `${release}: ${(cause as Error | undefined)?.message ?? message}` };
  }
}

function compared(own: string, official: string | undefined, release: string): Provenance {
  const isOfficial = own === official;
  return { isOfficial, text: `sha256 ${own} ${isOfficial ? 'is' : `is not ${official},`} that of ${release}` };
}

async function load(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The one that `npm ci` has installed on this machine; `undefined` with --omit=optional. */
export function packagedNode(): PackagedNode | undefined {
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  for (const name of [`node-${platform}`, `node-bin-${platform}`])
    try {
      const found = createRequire(join(projectRoot, 'package.json')).resolve(`${name}/package.json`);
      const file = join(dirname(found), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
      return { file, platform, version: JSON.parse(readFileSync(found, 'utf8')).version };
    } catch {
      // Another platform's, or left out.
    }
  return undefined;
}

if (import.meta.main) {
  const node = packagedNode();
  const { isOfficial, text } = node
    ? await provenanceOf(node, process.argv[2] ?? 'https://nodejs.org/dist')
    : { isOfficial: undefined, text: 'no Node is packaged here' };
  process.stdout.write(`${isOfficial === undefined ? 'Not compared: ' : ''}${text}\n`);
  process.exitCode = isOfficial === undefined ? 3 : isOfficial ? 0 : 1;
}
