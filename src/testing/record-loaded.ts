import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** Preloaded with `--import`, it writes the address of every module that its process loads to $SEXTANT_LOADED, a line each. */
const file = process.env.SEXTANT_LOADED;
if (file)
  registerHooks({
    load: (url, context, next) => {
      appendFileSync(file, `${url}\n`);
      return next(url, context);
    },
  });
