import { spawn } from 'node:child_process';
import './end-with-starter.js';
import { NO_NATIVE_NODE, nativeNode } from './native-node.js';

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
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // Ctrl-C in a terminal reaches the child by itself, and a second one would cut its clean-up short.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
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
