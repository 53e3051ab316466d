import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { Modules } from '../../../src/prober/modules.ts';
import { scenarios } from '../../../src/run/index.ts';
import { ownFolder } from '../../../src/testing/own-folder.ts';
import { missing, outputOf } from '../programs.ts';
import { builtObjects, type KubernetesObject } from './objects.ts';

const skip = missing('kubectl', 'promtool');
const folder = ownFolder();

type Labels = Readonly<Record<string, string>>;

/** A group of targets, in the form of Prometheus' http_sd and static_configs. */
interface Group {
  readonly targets: readonly string[];
  readonly labels: Labels;
}

/**
 * The scrape configuration that the Prometheus operator makes from a `ScrapeConfig` (see pkg/prometheus/promcfg.go of the operator).
 * `groups`: targets in place of those that http_sd would find.
 */
function scrapeConfigOf({ spec }: KubernetesObject, groups: readonly Group[]) {
  return {
    job_name: spec.jobName,
    metrics_path: spec.metricsPath,
    static_configs: groups,
    relabel_configs: spec.relabelings.map((relabeling: object) =>
      Object.fromEntries(
        Object.entries(relabeling).map(([key, value]) => [key.replace('Label', '_label'), value] as const),
      ),
    ),
  };
}

/**
 * The targets that Prometheus would scrape, as promtool finds them. promtool always waits for its whole time-out, so short time-outs are
 * tried first.
 */
function targetsOf(config: { readonly job_name: string }): Labels[] {
  const file = join(folder, 'prometheus.yml');
  writeFileSync(file, stringify({ scrape_configs: [config] }));
  for (const timeout of ['300ms', '2s', '10s', '30s']) {
    const asked = ['check', 'service-discovery', `--timeout=${timeout}`, file, config.job_name];
    const { code, text } = outputOf('promtool', asked);
    assert.equal(code, 0, text);
    const found = JSON.parse(text) as readonly { labels: Labels }[] | null;
    // A target that Prometheus drops has no address.
    if (found?.length) return found.map(({ labels }) => labels).filter((labels) => labels.__address__);
  }
  throw new Error(`promtool found no target of ${config.job_name}`);
}

const isScraping = ({ kind, metadata }: KubernetesObject, role: string) =>
  kind === 'ScrapeConfig' && metadata.name.startsWith(`sextant-${role}`);

/** Returns the object with another number of shards. */
function withShards(object: KubernetesObject, modulus: number): KubernetesObject {
  return JSON.parse(JSON.stringify(object), (key, value) => (key === 'modulus' ? modulus : value));
}

/** The targets that a prober with these environments lists at `/targets`. */
async function offered(names: readonly string[]): Promise<Group[]> {
  const { scenarios: all } = new Modules(await scenarios());
  return names.flatMap((name) =>
    all.map(({ slug, area, effect, scenario }) => ({
      targets: [name],
      labels: { __param_module: slug, environment: name, area, scenario: scenario.title, effect },
    })),
  );
}

for (const overlay of ['overlays/one-cluster', 'overlays/three-locations/fra'])
  test(`${overlay}: the modulus is the number of replicas`, { skip }, () => {
    const objects = builtObjects(overlay);
    const replicas = objects.find(({ kind }) => kind === 'StatefulSet')?.spec.replicas;
    const scraping = objects.filter((object) => isScraping(object, 'writers'));
    assert.ok(scraping.length > 0);
    for (const object of scraping)
      assert.deepEqual(
        [...JSON.stringify(object).matchAll(/"modulus":(\d+)/g)].map(([, digits]) => Number(digits)),
        [replicas],
      );
  });

const writers = skip
  ? []
  : builtObjects('overlays/three-locations/fra').filter((object) => isScraping(object, 'writers'));

for (const shards of [1, 3, 5])
  test(`no target goes to two replicas of ${shards}, and all scenarios of an environment go to one`, {
    skip,
  }, async () => {
    const groups = await offered(Array.from({ length: 20 }, (_, index) => `environment-${index}`));
    const targets = writers.flatMap((object) => targetsOf(scrapeConfigOf(withShards(object, shards), groups)));
    assert.equal(targets.length, groups.length, 'each scenario is in one job');
    const asked = targets.map(({ __param_target: name, __param_module: module }) => `${name}/${module}`);
    assert.equal(new Set(asked).size, groups.length);
    const replicas = Map.groupBy(targets, ({ environment = '' }) => environment);
    for (const [environment, those] of replicas)
      assert.equal(new Set(those.map(({ __address__ }) => __address__)).size, 1, environment);
    const expected = Array.from(
      { length: shards },
      (_, shard) => `sextant-writers-${shard}.sextant-writers.sextant.svc:9465`,
    );
    assert.deepEqual([...new Set(targets.map(({ __address__ = '' }) => __address__))].sort(), expected);
  });
