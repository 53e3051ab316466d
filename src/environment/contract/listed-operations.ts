import { decoded } from '../../http/index.ts';
import type { Place } from './documents.ts';

export type ListedOperation = ReturnType<typeof listedOperations>[number];

const methods = ['get', 'put', 'post', 'delete', 'patch', 'options', 'head', 'trace'];

/** The operations of a document, each with its path item, its servers, and the paths of these servers, e.g. `/v1`. @throws DocumentTrouble */
export function listedOperations(root: Place) {
  const items = root
    .at('paths')
    .entries()
    .map(([path, found]) => [path, found.followed()] as const);
  return items.flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item.at(method).followed();
      if (typeof operation.value !== 'object' || operation.value === null) return [];
      const servers = [operation, item, root].map(serversOf).find(({ length }) => length > 0) ?? [];
      const bases = [...new Set(servers.flatMap(pathOf))];
      return [{ method: method.toUpperCase(), path, servers, bases, item, operation }];
    }),
  );
}

/** The addresses of the servers of a place, with the defaults of their variables. */
function serversOf(place: Place): string[] {
  return place
    .at('servers')
    .members()
    .flatMap((server) => {
      const { value: url } = server.at('url');
      if (typeof url !== 'string' || url === '') return [];
      return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
        return String(server.at('variables').at(name).at('default').value ?? whole);
      });
    });
}

/** The path of a server's address, which may be relative to the document. */
function pathOf(server: string): string[] {
  const found = URL.parse(server, 'http://document/');
  return found ? [decoded(found.pathname).replace(/(?<!\/)\/+$/, '')] : [];
}
