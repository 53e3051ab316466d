#!/usr/bin/env node
import module from 'node:module';
import './end-with-starter.js';
import { isEnough, runOnEnough } from './node-runtime.js';

// Plain JavaScript, which every Node can parse that may be installed.

if (isEnough()) {
  // Before any TypeScript is loaded: with everything in the cache, Node doesn't even load what takes the types away.
  module.enableCompileCache();
  // The command line itself: no second process.
  await import('../sextant.ts');
} else await runOnEnough(process.argv[1], process.argv.slice(2));
