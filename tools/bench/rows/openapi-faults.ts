import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fault, faults, seeded, whileServing } from '../../../reference-service/index.ts';
import { freePortsInARow } from '../../../src/testing/run-command.ts';
import { environmentText, seededData } from '../../../src/testing/test-environment.ts';
import { sextant } from '../processes.ts';
import type { Measure } from '../row.ts';
import { findSchemathesis, type Schemathesis } from '../schemathesis.ts';

/** Every seventh of the faults that violate the specification: 27 of the 189. */
const NTH = 7;
const chosen = faults
  .filter(({ grade, survives }) => grade === 'documented' && !survives)
  .filter((_, i) => i % NTH === 0);

/** What Schemathesis finds with the exported document alone: failures that the healthy service doesn't have. */
export const openApiFaults: Measure = async ({ folder }) => {
  const schemathesis = await findSchemathesis(folder);
  const port = await freePortsInARow();
  const document = await whileServing({ port, quiet: true }, (service) => exported(folder, service));
  const healthy = new Set([
    ...(await failures(schemathesis, document, port)),
    ...(await failures(schemathesis, document, port)),
  ]);
  const found: string[] = [];
  for (const fault of chosen) {
    const more = (await failures(schemathesis, document, port, fault)).filter((failure) => !healthy.has(failure));
    if (more.length > 0) found.push(fault.name);
    process.stderr.write(`  ${fault.name}: ${more.join(', ') || 'not found'}\n`);
  }
  process.stderr.write(`  with the healthy service: ${[...healthy].sort().join(', ')}\n`);
  return {
    what: 'documented faults that Schemathesis finds with the exported OpenAPI document and the credentials alone',
    aim: `≥ 16 of ${chosen.length}`,
    figure: `${found.length} of ${chosen.length}`,
    met: found.length >= 16,
    note: `schemathesis ${schemathesis.version}`,
    details: { found: found.length, of: chosen.length, healthy: healthy.size },
  };
};

type Serving = Parameters<Parameters<typeof whileServing>[1]>[0];

/** The document of an environment that was surveyed, as a team exports it. */
async function exported(folder: string, { addresses, provisionUrl }: Serving): Promise<string> {
  const keys = { ...seededData, PROVISION_URL: provisionUrl, STORED_ITEM_IDS: seeded.items.join(',') };
  writeFileSync(join(folder, 'surveyed.env'), environmentText(addresses, keys));
  const env = { SEXTANT_SURVEYS: join(folder, 'surveys'), SEXTANT_OBSERVED: join(folder, 'observed') };
  await sextant(['survey', '--env', 'surveyed', '--yes'], env);
  return (await sextant(['openapi', '--env', 'surveyed'], env)).stdout;
}

/** A service of its own for each fault: what Schemathesis changes is no fault's matter. */
function failures(schemathesis: Schemathesis, document: string, port: number, fault?: Fault): Promise<string[]> {
  const { caller, client } = seeded;
  return whileServing({ port, quiet: true }, (service) => {
    if (fault) service.faults.set(fault);
    return schemathesis.run(document, {
      Authorization: `bearer ${caller.accessToken}`,
      'mm-api-key': client.apiKey,
    });
  });
}
