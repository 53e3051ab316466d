import { alerts } from './alerts.ts';
import { check } from './check.ts';
import { compare } from './compare.ts';
import { drill } from './drill.ts';
import { environments } from './environments.ts';
import { history } from './history.ts';
import { monitor } from './monitor.ts';
import { openapi } from './openapi.ts';
import { serve } from './serve.ts';
import { survey } from './survey.ts';
import { test } from './test.ts';
import { undo } from './undo.ts';

/** Every command; a new one is a file beside this and a line here. */
export const commands = [
  test,
  check,
  monitor,
  alerts,
  history,
  survey,
  compare,
  openapi,
  drill,
  environments,
  serve,
  undo,
] as const;
