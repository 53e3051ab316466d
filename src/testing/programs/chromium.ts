import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Chromium where distributions put it; `undefined` where there is none. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** Starts Chromium, which speaks to nobody but the page: Playwright switches off what would. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    ...(chromiumPath ? { executablePath: chromiumPath } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
  });
}
