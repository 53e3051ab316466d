import type { Environment } from '../../config/index.ts';
import { headerSets, headers, type Operation, type OperationId, operation } from '../../spec/index.ts';

/** Links from a change to what undoes it and what shows it. */
export function linksOf({ undo, shownBy, restoredBy }: Operation, environment: Environment | undefined) {
  const read = restoredBy && environment?.readProfile;
  const links = [
    ...(undo ? [linkTo(operation(undo as OperationId), 'undoes it', { requestBody: '$request.body' })] : []),
    ...(shownBy ? [linkTo(operation(shownBy as OperationId), 'shows it', {}, environment?.blockListSegments)] : []),
    ...(read ? [linkTo(read, 'shows it', {}, { userId: '$request.header.mm-user-id' })] : []),
  ];
  return links.length > 0 ? Object.fromEntries(links) : undefined;
}

/** As the same caller. */
function linkTo({ id, headerSet }: Operation, description: string, rest: object, inPath: Record<string, string> = {}) {
  const parameters = {
    ...Object.fromEntries(Object.entries(inPath).map(([name, value]) => [`path.${name}`, value])),
    ...Object.fromEntries(
      headerSets[headerSet].map((key) => [`header.${headers[key].name}`, `$request.header.${headers[key].name}`]),
    ),
  };
  return [id, { operationId: id, description, parameters, ...rest }] as const;
}
