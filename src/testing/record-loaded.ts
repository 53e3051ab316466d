import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** Preloaded with `--import`, it writes the URL of every loaded module to $SEXTANT_LOADED, one per line. */
const file = process.env.SEXTANT_LOADED;
if (file)
  registerHooks({
    load: (url, context, next) => {
      appendFileSync(file, `${url}\n`);
      return next(url, context);
    },
  });
