#!/usr/bin/env node
import { runOnNativeNode } from './run-on-native-node.js';

// `sextant-node file.ts …`: a script of this project, whichever Node npm runs scripts with.
const [file, ...args] = process.argv.slice(2);
runOnNativeNode(file, args);
