import { requestSchemas } from '../../schemas/index.ts';
import { onlyWhere } from '../faults/tamper.ts';
import { reading, type ServiceReading } from './service-reading.ts';

type Body = Readonly<Record<string, unknown>>;

function isJson(text: unknown): boolean {
  try {
    return typeof JSON.parse(String(text)) === 'object';
  } catch {
    return false;
  }
}

/** Names of letters and digits, numbers as ids, meta in JSON. */
export const plainAvatars = reading({
  saveAvatar: {
    validate: onlyWhere(({ name, meta, items }) => {
      const areNumbers = (items as Body[]).every(({ itemId }) => /^\d+$/.test(String(itemId)));
      return /^[A-Za-z0-9]{0,32}$/.test(String(name)) && areNumbers && isJson(meta);
    }),
  },
});

/** The values of an unwritten profile (empty, and 0) can be restored. Operations 11 and 12 share one request, which the first serves. */
export function profilesOf(statuses: readonly string[], genders: readonly number[]): ServiceReading {
  return reading({
    updateProfile: {
      validate: onlyWhere(
        ({ status, gender }) =>
          (!status || statuses.includes(String(status))) && (!gender || genders.includes(gender as number)),
      ),
    },
  });
}

/** Fields that the specification doesn't name are left out of what is looked at. */
export const unknownFieldsAccepted = reading({
  all: {
    validate: (honest) => (entry, body) => {
      const isRecord = typeof body === 'object' && body !== null && !Array.isArray(body);
      if (!isRecord || !entry.request) return honest(entry, body);
      const known = Object.keys(requestSchemas[entry.request].properties);
      return honest(entry, Object.fromEntries(Object.entries(body).filter(([name]) => known.includes(name))));
    },
  },
});
