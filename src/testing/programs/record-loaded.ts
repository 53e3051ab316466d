import { appendFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** Preloaded with `--import`, it writes the URL of every loaded module to $SEXTANT_LOADED, one per line; a process that replaces itself begins again. */
const file = process.env.SEXTANT_LOADED;
if (file) {
  writeFileSync(file, '');
  registerHooks({
    load: (url, context, next) => {
      appendFileSync(file, `${url}\n`);
      return next(url, context);
    },
  });
}
