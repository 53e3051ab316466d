import type { Listening } from '../../src/config/index.ts';
import { runInline } from '../../src/testing/run-inline.ts';
import { environmentText } from '../../src/testing/test-environment.ts';
import type { Ended } from './processes.ts';

/** One Playwright test with `requests` requests, including the work of the suite's reporters. */
export async function benchPlaywright({ addresses }: Listening, requests: number): Promise<Ended> {
  const spec = `import { scenario } from './sextant.ts';
scenario('many requests', { tag: ['@friends', '@read'] }, async ({ friends }) => {
  for (let index = 0; index < ${requests}; index++) await friends.listBlocked().succeeds();
});
`;
  const start = performance.now();
  const ended = await runInline({
    specs: { 'many.spec.ts': spec },
    environments: { bench: environmentText(addresses) },
  });
  const wallMs = performance.now() - start;
  ended.remove();
  if (ended.code !== 0) throw new Error(ended.console);
  return { wallMs, stdout: ended.console };
}
