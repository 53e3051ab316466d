import type { Values } from './keys.ts';
import type { MonitoringSettings } from './monitoring-values.ts';
import { present } from './present.ts';

/** What the suite itself takes from an environment's file; what the client must know to call it is in `assemble.ts`. */
export function ownSettings(values: Values) {
  const monitoring: MonitoringSettings = {
    everyMsByTag: values.MONITOR_EVERY_BY_TAG ?? new Map(),
    maintenance: values.MAINTENANCE ?? [],
    ...present({ everyMs: values.MONITOR_EVERY }),
  };
  return {
    /** The test data that a team has put into its environment. */
    data: {
      storedItemIds: values.STORED_ITEM_IDS ?? [],
      ...present({
        reportLanguage: values.REPORT_LANGUAGE,
        storyId: values.STORY_ID,
        flagKey: values.FLAG_KEY,
        fromClientId: values.FROM_CLIENT_ID,
        typeName: values.TYPE_NAME,
        typeVersion: values.TYPE_VERSION,
      }),
    },
    monitoring,
    /** The most requests that one generated spec makes. */
    requestBudget: values.REQUEST_BUDGET as number,
    /** A certificate that ends in fewer days is warned of. */
    certificateWarningDays: values.CERTIFICATE_WARNING_DAYS as number,
    ...present({ provisionUrl: values.PROVISION_URL }),
  };
}

export type OwnSettings = Readonly<ReturnType<typeof ownSettings>>;
