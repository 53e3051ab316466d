import type { CallArguments } from '../../src/spec/index.ts';
import { assumed } from '../assumptions/values.ts';
import { created, type Handler } from '../handler-request.ts';
import { Refusal } from '../refusal.ts';

export const cloneType: Handler<CallArguments<'cloneType'>> = ({ state, clientId, args }) => {
  const { FromClientId, TypeName, TypeVersion, IsSetDefaultTypeVersion } = args;
  if (!state.types.has(FromClientId, TypeName))
    throw new Refusal(assumed.notFound, 'unknown_type', 'that client has no such type');
  if (state.types.has(clientId, TypeName, TypeVersion))
    throw new Refusal(assumed.versionExists, 'version_exists', 'this version exists already');
  state.types.add(clientId, TypeName, TypeVersion, IsSetDefaultTypeVersion);
  return created({ TypeName, TypeVersion, DefaultTypeVersion: state.types.defaultVersion(clientId, TypeName) ?? null });
};
