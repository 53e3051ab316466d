import { statSync } from 'node:fs';
import { shown } from '../../config/files/shown.ts';
import { type Environment, environmentFiles } from '../../config/index.ts';
import { keptDrill, settingsOf } from '../../fault-injection/index.ts';
import { hasConsent, readJournals, runLocks, unseenText, unusedItems } from '../../scenario/index.ts';
import { areaIds, areas } from '../../spec/index.ts';
import { withService } from '../embedded-service.ts';
import { pingAll } from '../environments/ping.ts';
import { proxyVariables } from '../trying/proxy-variables.ts';
import { Reader } from '../trying/reader.ts';
import { tryAreas } from '../trying/try-areas.ts';
import type { Diagnosis } from './diagnosis.ts';
import {
  addressDiagnosis,
  clockDiagnosis,
  consentDiagnosis,
  credentialDiagnoses,
  drillDiagnosis,
  itemsDiagnosis,
  journalDiagnosis,
  lockDiagnosis,
  secretFileDiagnosis,
} from './of-environment.ts';

/** What holds for one environment; asks its addresses, and reads with its credentials where a run was agreed to. */
export async function examineEnvironment(environment: Environment): Promise<Diagnosis[]> {
  const { name, data } = environment;
  const secretFile = environmentFiles(name).secret;
  const isAgreed = hasConsent(environment);
  const drill = keptDrill(name);
  const journals = readJournals(name).map(({ path, pending, unseen, damaged, live }) => ({
    path: shown(path),
    pending: pending.map(({ change, args, userId }) => `${change} ${JSON.stringify(args)} of ${userId}`),
    unseen: unseen.map(unseenText),
    damaged: damaged.length,
    live,
  }));
  const asked = await withService(environment, (at) => askedOf(at, isAgreed));
  return [
    ...asked,
    consentDiagnosis(name, isAgreed),
    ...[secretFileDiagnosis(shown(secretFile), modeOf(secretFile))].filter((each) => each !== undefined),
    ...[drillDiagnosis(name, drill && { ...drill, isCurrent: drill.settings === settingsOf(environment) })].filter(
      (each) => each !== undefined,
    ),
    itemsDiagnosis(data.storedItemIds.length, unusedItems(name, data.storedItemIds).length),
    journalDiagnosis(name, journals),
    lockDiagnosis(runLocks(environment)),
  ];
}

async function askedOf(environment: Environment, isAgreed: boolean): Promise<Diagnosis[]> {
  const { addresses, certificateWarningDays: warningDays } = environment;
  const proxies = proxyVariables();
  const pings = await pingAll(environment);
  const keyOf = (address: string) => {
    const area = areaIds.find((each) => addresses[each].href === address);
    return area ? areas[area].addressKey : 'its address';
  };
  const context = { now: Date.now(), warningDays, proxies };
  const found = pings.map((ping) => addressDiagnosis(ping, { ...context, key: keyOf(ping.address) }));
  found.push(clockDiagnosis(pings));
  if (!isAgreed || !pings.some(({ failure }) => failure === undefined)) return found;
  const reader = new Reader(environment);
  try {
    return [...found, ...credentialDiagnoses(await tryAreas(environment, reader))];
  } finally {
    await reader.close();
  }
}

function modeOf(path: string): number | undefined {
  return process.platform === 'win32' ? undefined : statSync(path, { throwIfNoEntry: false })?.mode;
}
