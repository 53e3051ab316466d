import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { environmentText, seededData } from '../../../src/testing/test-environment.ts';
import { startBenchEnvironment } from '../bench-environment.ts';
import { percentileOf, print } from '../monitor/figures.ts';
import { usageOf } from '../process-usage.ts';
import { startProberProcess } from './prober-process.ts';

// One replica with 1, 10, 50 and 200 environments, each scenario every minute, asked at even distances as Prometheus does; `--only 50`
// measures one of them. Environments have a provisioner, so each scenario has users for itself.
const SIZES = [1, 10, 50, 200];
const MINUTE_MS = 60_000;
const WARM_UP_MS = 10_000;
const MEASURED_MS = 30_000;

interface Group {
  readonly targets: readonly [string];
  readonly labels: Readonly<Record<string, string>>;
}

const bench = await startBenchEnvironment();
const only = process.argv[2] === '--only' ? Number(process.argv[3]) : undefined;
const { addresses, provisionUrl } = bench.serving;
const text = environmentText(addresses, { ...seededData, PROVISION_URL: provisionUrl, SLOW_AFTER_MS: 60_000 });
for (const size of SIZES.filter((each) => only === undefined || each === only)) {
  const names = Array.from({ length: size }, (_, index) => `of${size}-${index}`);
  for (const name of names) writeFileSync(join(bench.folder, `${name}.env`), text);
  const prober = await startProberProcess(['--env', `of${size}-*`], bench.env);
  try {
    const groups = (await (await fetch(new URL('/targets', prober.url))).json()) as Group[];
    const took: number[] = [];
    const trouble = new Map<string, number>();
    const probe = async ({ targets: [target], labels }: Group, isMeasured: boolean) => {
      const query = new URLSearchParams({ target, module: labels.__param_module ?? '' });
      const start = performance.now();
      const response = await fetch(`${prober.url}probe?${query}`, {
        headers: { 'x-prometheus-scrape-timeout-seconds': '30', 'accept-encoding': 'gzip' },
      });
      const body = await response.text();
      if (isMeasured) took.push(performance.now() - start);
      if (/^probe_success 1$/m.test(body)) return;
      const seen = /^sextant_verdict\{verdict="(\w+)"\} 1$/m.exec(body)?.[1] ?? String(response.status);
      trouble.set(seen, (trouble.get(seen) ?? 0) + 1);
    };
    const apartMs = MINUTE_MS / groups.length;
    const begun: Promise<void>[] = [];
    const since = performance.now();
    let before: ReturnType<typeof usageOf> | undefined;
    for (let index = 0; ; index++) {
      const planned = index * apartMs;
      if (planned > WARM_UP_MS + MEASURED_MS) break;
      await wait(Math.max(0, planned - (performance.now() - since)));
      const isMeasured = planned >= WARM_UP_MS;
      if (isMeasured) before ??= usageOf(prober.pid);
      begun.push(probe(groups[index % groups.length] as Group, isMeasured));
    }
    const after = usageOf(prober.pid);
    await Promise.all(begun);
    const share = (100 * (after.cpuMs - (before?.cpuMs ?? 0))) / MEASURED_MS;
    const perProbe = (after.cpuMs - (before?.cpuMs ?? 0)) / took.length;
    const series = (await (await fetch(new URL('/metrics', prober.url))).text()).match(/^[^#\n]/gm)?.length ?? 0;
    const figures = [
      `${size}`,
      `${groups.length}`,
      (groups.length / 60).toFixed(1),
      `${share.toFixed(1)} %`,
      `${perProbe.toFixed(1)} ms`,
      `${Math.round(after.residentMb)} MB`,
      `${Math.round(percentileOf(took, 50))} ms`,
      `${Math.round(percentileOf(took, 99))} ms`,
      `${series}`,
      [...trouble].map(([verdict, count]) => `${count} ${verdict}`).join(', ') || 'none',
    ];
    print(`| ${figures.join(' | ')} |`);
  } finally {
    await prober.stop();
  }
}
bench.stop();
process.exit();
