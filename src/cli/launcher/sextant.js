#!/usr/bin/env node
import module from 'node:module';
import './end-with-starter.js';

// Plain JavaScript, so that even an old Node of a user can parse this file.

const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 24 || (major === 24 && minor >= 15)) {
  // Enable the cache before any TypeScript is loaded: if the cache is complete, Node doesn't even load the module that removes types.
  module.enableCompileCache();
  await import('./resolve-own.js');
  // This Node is new enough, so the command line runs in this process.
  await import('../sextant.ts');
} else {
  const { runOnEnough } = await import('./node-runtime.js');
  await runOnEnough(process.argv[1], process.argv.slice(2));
}
