#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import './end-with-starter.js';
import { runOnNativeNode } from './run-on-native-node.js';

if (process.features.typescript) {
  // Before any TypeScript is loaded: with everything in the cache, Node doesn't even load what takes the types away.
  module.enableCompileCache?.();
  // The command line itself: no second process.
  await import('../sextant.ts');
} else runOnNativeNode(fileURLToPath(import.meta.url), process.argv.slice(2));
