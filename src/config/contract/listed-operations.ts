import { decoded } from './decoded.ts';
import type { Documents, Place } from './documents.ts';
import type { Listed } from './match-operations.ts';

/** A path item of a document with one of its operations. */
export interface OperationPlace {
  readonly item: Place;
  readonly operation: Place;
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'options', 'head', 'trace'];
/** Combinations of the values of a server's variables. */
const MOST_ADDRESSES = 50;

/** The operations of a document. */
export function listedOperations(documents: Documents): Listed<OperationPlace>[] {
  const { root } = documents;
  return documents.members(documents.member(root, 'paths')).flatMap(([path, found]) => {
    const item = documents.follow(found);
    return methods.flatMap((method) => {
      const operation = documents.follow(documents.member(item, method));
      if (typeof operation.value !== 'object' || operation.value === null) return [];
      const bases = basesOf([operation, item, root], documents);
      return [{ method: method.toUpperCase(), path, bases, entry: { item, operation } }];
    });
  });
}

/** The paths of the servers of the innermost place that has some. */
function basesOf(places: readonly Place[], documents: Documents): string[] {
  for (const place of places) {
    const servers = documents.members(documents.member(place, 'servers')).map(([, server]) => documents.follow(server));
    if (servers.length > 0) return [...new Set(servers.flatMap((server) => pathsOf(server, documents)))];
  }
  return [];
}

function pathsOf(server: Place, documents: Documents): string[] {
  const { value: url } = documents.member(server, 'url');
  if (typeof url !== 'string') return [];
  let addresses = [url];
  for (const [name, variable] of documents.members(documents.member(server, 'variables'))) {
    const { value: fallback } = documents.member(variable, 'default');
    const others = documents.members(documents.member(variable, 'enum')).map(([, { value }]) => value);
    const values = [fallback, ...others].filter((value) => value !== undefined).map(String);
    addresses = [...new Set(values)]
      .flatMap((value) => addresses.map((address) => address.replaceAll(`{${name}}`, value)))
      .slice(0, MOST_ADDRESSES);
  }
  return addresses.flatMap((address) => {
    // A server may be relative to the document.
    const found = URL.parse(address, 'http://document/');
    return found ? [decoded(found.pathname).replace(/\/+$/, '')] : [];
  });
}
