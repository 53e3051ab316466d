import { Place } from '../../environment/contract/documents.ts';
import { listedOperations } from '../../environment/contract/listed-operations.ts';
import { counted } from '../../environment/sentence-parts.ts';
import { operationIds } from '../../service/index.ts';
import type { Format, SeenRequest } from './document.ts';
import { matchedOperation, profileRead } from './request-variables.ts';
import { requestsIn, variablesIn } from './requests.ts';

export const postmanEnvironment: Format = {
  kind: 'a Postman environment',
  read: ({ tree }) => {
    const values = tree.at('values');
    return values.isList ? { name: tree.at('name').text, variables: variablesIn(values), requests: [] } : undefined;
  },
};

/** Postman's export of a collection, version 2.0 or 2.1. It contains variables, and requests in folders. */
export const postmanCollection: Format = {
  kind: 'a Postman collection (v2.1)',
  read: ({ tree }) => {
    if (!tree.at('item').isList && !tree.at('variable').isList) return undefined;
    const name = tree.at('info').at('name').text;
    return { name, variables: variablesIn(tree.at('variable')), ...requestsIn(tree) };
  },
};

/** An OpenAPI 3 document. The import takes the base addresses of the service from the document's `servers`. */
export const openapi: Format = {
  kind: 'an OpenAPI 3 document (JSON or YAML)',
  read: ({ tree, file }) => {
    if (!tree.at('openapi').isThere) return undefined;
    const requests: SeenRequest[] = [];
    const others = new Set<string>();
    let relative = 0;
    for (const { method, path, servers } of listedOperations(new Place(file, tree.value))) {
      const [first, ...more] = servers;
      if (first === undefined || !/^https?:\/\//i.test(first)) relative++;
      else requests.push({ method, url: `${first.replace(/(?<!\/)\/+$/, '')}${path}`, headers: [] });
      for (const other of more) others.add(other);
    }
    const ours = requests.filter(({ method, url }) => matchedOperation(method, url) ?? profileRead(method, url));
    const besides = ours.length > 0 ? requests.length - ours.length : 0;
    return {
      name: tree.at('info').at('title').text,
      variables: [],
      requests: ours.length > 0 ? ours : requests,
      ignored: [
        ...(relative > 0
          ? [`${counted(relative, 'operation')} without an absolute server: the document has no host for them`]
          : []),
        ...[...others].map((url) => `the server ${withoutQuery(url)}: the first one of its list was taken`),
        ...(besides > 0
          ? [`${counted(besides, 'operation')} besides the ${operationIds.length} of the specification`]
          : []),
      ],
    };
  },
};

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
}
