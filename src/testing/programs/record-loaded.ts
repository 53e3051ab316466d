import { appendFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** Preloaded with `--import`: writes the URL of every loaded module to $SEXTANT_LOADED, one per line. It empties the file first. */
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
