import { isThere } from '../../config/files/index.ts';
import { ConfigurationError } from '../../config/index.ts';

/**
 * Playwright's UI mode opens Chromium, unless `args` have it listen for the user's own browser.
 * @throws ConfigurationError without one, where Playwright would print a page of its own code.
 */
export async function assertBrowser(args: readonly string[]): Promise<void> {
  if (args.some((arg) => /^--ui-(port|host)\b/.test(arg))) return;
  // Loaded only here: it takes a quarter of a second.
  const { chromium } = await import('@playwright/test');
  if (isThere(chromium.executablePath(), { what: "Playwright's browser" })) return;
  throw new ConfigurationError(
    'UI mode needs a browser: run `npx playwright install chromium` once, or use your own: `npx sextant test --ui -- --ui-port=8080`.',
  );
}
