// An older Node can't even link the imported modules, so the version is checked before anything is imported.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(
    `Playwright Test runs these specs on Node 24.15 or newer, and this is ${process.versions.node}: run \`npx sextant test\`, which fetches a newer one.\n`,
  );
  process.exit(2);
}

export default (await import('./src/playwright/adapter/playwright-config.ts')).default;
