import { check } from './check.ts';
import { drill } from './drill.ts';
import { environments } from './environments.ts';
import { serve } from './serve.ts';
import { test } from './test.ts';
import { undo } from './undo.ts';

/** Every command; a new one is a file beside this and a line here. */
export const commands = [test, check, drill, environments, serve, undo] as const;
