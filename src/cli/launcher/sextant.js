#!/usr/bin/env node
import module from 'node:module';
import './end-with-starter.js';

// Plain JavaScript, so that every Node that may be installed can parse it.

const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 24 || (major === 24 && minor >= 15)) {
  // Before any TypeScript is loaded: if the cache has everything, Node doesn't even load its module that removes types.
  module.enableCompileCache();
  // This Node is new enough, so the command line runs in this process.
  await import('../sextant.ts');
} else {
  const { runOnEnough } = await import('./node-runtime.js');
  await runOnEnough(process.argv[1], process.argv.slice(2));
}
