import type { Registry } from 'prom-client';
import { credentialEnds, type Environment } from '../config/index.ts';
import { addGauge } from './gauge.ts';

/** When the credentials of environments expire. */
export function addCredentialGauge(registry: Registry, environments: () => Iterable<Environment>): void {
  addGauge(
    registry,
    {
      name: 'sextant_credential_expiry_timestamp_seconds',
      help: 'Expiry of a credential, in unixtime, where it is known; renewed: whether it is issued anew before that',
      labels: ['environment', 'credential', 'renewed'],
    },
    (metric) => {
      for (const environment of environments())
        for (const { key, endsAt, isRenewed } of credentialEnds(environment))
          metric.set({ environment: environment.name, credential: key, renewed: String(isRenewed) }, endsAt / 1000);
    },
  );
}
