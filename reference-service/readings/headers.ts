import { type HeaderName, headers } from '../../src/spec/index.ts';
import { reading } from './service-reading.ts';

const notCredentials = (Object.keys(headers) as HeaderName[]).filter((name) => headers[name].kind !== 'credential');

/** Whether a value names a user or a client of this service. */
const isKnown = (value: string) => /^(user|client)-/.test(value);

/** The headers that are not credentials aren't looked at where their value is such. */
function acceptedWhere(isSuch: (value: string | undefined, name: HeaderName) => boolean) {
  return reading({ all: { uncheckedWhen: (read) => notCredentials.filter((name) => isSuch(read(name), name)) } });
}

export const missingAccepted = acceptedWhere((value) => value === undefined);
export const emptyAccepted = acceptedWhere((value) => value === '');
export const wrongAccepted = acceptedWhere((value, name) => {
  if (!value) return false;
  return headers[name].kind === 'context' || !isKnown(value);
});
/** A known id next to a token that may belong to another user. */
export const anotherAccepted = acceptedWhere(
  (value, name) => name === 'mm-user-id' && value !== undefined && isKnown(value),
);
