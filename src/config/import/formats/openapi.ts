import { operationIds } from '../../../spec/index.ts';
import { counted } from '../../counted.ts';
import { type Format, listOf, recordOf, type SeenRequest, textOf } from '../document.ts';
import { matchedOperation } from '../request-variables.ts';

type Fields = Readonly<Record<string, unknown>>;

const METHODS = ['get', 'post', 'put', 'delete'] as const;

/** An OpenAPI 3 document, or Swagger 2: the servers of the operations that it has. */
export const openapi: Format = {
  kind: 'an OpenAPI document (JSON or YAML)',
  read: (document) => {
    const { record: root } = document;
    if (!root || (root['openapi'] === undefined && root['swagger'] === undefined)) return undefined;
    const rootServers = root['swagger'] === undefined ? serversOf(root) : swaggerServers(root);
    const name = textOf(recordOf(root['info'])?.['title']);
    const requests: SeenRequest[] = [];
    const others = new Set<string>();
    let relative = 0;
    for (const [path, item] of Object.entries(recordOf(root['paths']) ?? {})) {
      for (const method of METHODS) {
        const entry = recordOf(recordOf(item)?.[method]);
        if (!entry) continue;
        const servers = [serversOf(entry), serversOf(recordOf(item) ?? {}), rootServers].find(
          ({ length }) => length > 0,
        );
        const [first, ...more] = servers ?? [];
        if (first === undefined || !/^https?:\/\//i.test(first)) relative++;
        else requests.push({ method, url: `${first.replace(/\/+$/, '')}${path}`, headers: [] });
        for (const other of more) others.add(other);
      }
    }
    const isOurs = requests.some(({ method, url }) => matchedOperation(method, url));
    return {
      ...(name ? { name } : {}),
      variables: [],
      requests: requests.filter(({ method, url }) => !isOurs || matchedOperation(method, url)),
      ignored: [
        ...(relative > 0
          ? [`${counted(relative, 'operation')} without an absolute server: the document has no host for them`]
          : []),
        ...[...others].map((url) => `the server ${withoutQuery(url)}: the first one of its list was taken`),
        ...(isOurs ? namesOfOthers(requests) : []),
      ],
    };
  },
};

function namesOfOthers(requests: readonly SeenRequest[]): string[] {
  const count = requests.filter(({ method, url }) => !matchedOperation(method, url)).length;
  return count > 0 ? [`${counted(count, 'operation')} besides the ${operationIds.length} of the specification`] : [];
}

/** The addresses of `servers`, with the defaults of their variables. */
function serversOf(fields: Fields): string[] {
  return listOf(fields['servers']).flatMap((server) => {
    const { url, variables } = recordOf(server) ?? {};
    const given = recordOf(variables) ?? {};
    const text = textOf(url).replace(/\{([^{}]+)\}/g, (whole, name: string) =>
      Object.hasOwn(given, name) ? textOf(recordOf(given[name])?.['default']) || whole : whole,
    );
    return text === '' ? [] : [text];
  });
}

function swaggerServers({ host, basePath, schemes }: Fields): string[] {
  const schemeList = listOf(schemes).map(textOf);
  const scheme = schemeList.includes('https') || schemeList.length === 0 ? 'https' : schemeList[0];
  return textOf(host) === '' ? [] : [`${scheme}://${textOf(host)}${textOf(basePath)}`];
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
}
