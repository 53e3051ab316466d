#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { runOnNativeNode } from './run-on-native-node.js';

// The command line itself where this Node runs TypeScript: no second process.
if (process.features.typescript) await import('../sextant.ts');
else runOnNativeNode(fileURLToPath(new URL('../sextant.ts', import.meta.url)), process.argv.slice(2));
