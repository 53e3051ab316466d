import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The path at which distributions install Chromium; `undefined` if it isn't installed. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** Starts Chromium. It contacts only the page's server, because Playwright switches off its other requests. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    ...(chromiumPath ? { executablePath: chromiumPath } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
  });
}
