#!/usr/bin/env node
import module from 'node:module';
import './end-with-starter.js';

// Plain JavaScript, so that every Node that a user may have can parse this file.

const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 24 || (major === 24 && minor >= 15)) {
  // Called before any TypeScript is loaded: with a complete compile cache, Node doesn't even load its module that removes types.
  module.enableCompileCache();
  // This Node is new enough, so the command line runs in this process.
  await import('../sextant.ts');
} else {
  const { runOnEnough } = await import('./node-runtime.js');
  await runOnEnough(process.argv[1], process.argv.slice(2));
}
