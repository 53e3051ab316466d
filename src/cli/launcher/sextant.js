#!/usr/bin/env node
import module from 'node:module';
import './end-with-starter.js';

// Plain JavaScript, which every Node can parse that may be installed.

const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 24 || (major === 24 && minor >= 15)) {
  // Before any TypeScript is loaded: with everything in the cache, Node doesn't even load what takes the types away.
  module.enableCompileCache();
  // The command line itself: no second process.
  await import('../sextant.ts');
} else {
  const { runOnEnough } = await import('./node-runtime.js');
  await runOnEnough(process.argv[1], process.argv.slice(2));
}
