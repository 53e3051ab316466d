import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from '../../../reference-service/index.ts';
import { startBlackbox } from '../blackbox.ts';
import { usageOf } from '../process-usage.ts';
import { type Measure, ratioRow } from '../row.ts';
import { operationCpu } from './cpu-against-fetch.ts';

const WARM_UP = 300;
const PROBES = 3_000;

/** blackbox_exporter probes the list of blocked users with the headers that the operation has, and judges its status. */
export const cpuAgainstBlackbox: Measure = async ({ env, folder, serving }) => {
  const { caller, client } = seeded;
  const config = {
    modules: {
      list: {
        prober: 'http',
        timeout: '5s',
        http: {
          preferred_ip_protocol: 'ip4',
          headers: {
            authorization: `bearer ${caller.accessToken}`,
            'mm-client-id': client.clientId,
            'mm-user-id': caller.userId,
          },
        },
      },
    },
  };
  const file = join(folder, 'blackbox.json');
  writeFileSync(file, JSON.stringify(config));
  const blackbox = await startBlackbox(file);
  try {
    const target = `${serving.addresses.friends}/v1/friends/block/0/100`;
    const probe = `${blackbox.url}/probe?module=list&target=${encodeURIComponent(target)}`;
    const times = async (count: number) => {
      for (let index = 0; index < count; index++) {
        const text = await (await fetch(probe)).text();
        if (!text.includes('\nprobe_success 1')) throw new Error(`blackbox_exporter did not succeed:\n${text}`);
      }
    };
    await times(WARM_UP);
    const before = usageOf(blackbox.pid).cpuMs;
    await times(PROBES);
    const theirs = ((usageOf(blackbox.pid).cpuMs - before) / PROBES) * 1_000;
    const { inProcess } = await operationCpu(env);
    return ratioRow(
      'CPU of an operation in-process, against one `/probe` of blackbox_exporter',
      0.7,
      inProcess,
      theirs,
      'us',
      blackbox.version,
    );
  } finally {
    blackbox.stop();
  }
};
