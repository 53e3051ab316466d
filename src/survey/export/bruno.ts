import { areas } from '../../spec/index.ts';
import type { ExportedEnvironment, ExportedRequest } from './exported-requests.ts';

/** The files of a Bruno collection, by path: a folder for each area, and the environment. */
export function brunoFiles(exported: ExportedEnvironment): Readonly<Record<string, string>> {
  const { name, requests } = exported;
  const collection = { version: '1', name: `Sextant: ${name}`, type: 'collection', ignore: [] };
  return {
    'bruno.json': `${JSON.stringify(collection, null, 2)}\n`,
    [`environments/${name}.bru`]: environmentFile(exported),
    ...Object.fromEntries(
      requests.map((request, index) => [
        `${areas[request.area].title}/${request.id}.bru`,
        requestFile(request, index + 1),
      ]),
    ),
  };
}

function environmentFile({ variables, secrets }: ExportedEnvironment): string {
  const values = block(
    'vars',
    variables.map(({ name, value }) => `${name}: ${value}`),
  );
  return `${values}\nvars:secret [\n${secrets.map((name) => `  ${name}`).join(',\n')}\n]\n`;
}

function requestFile({ title, description, method, url, headers, body }: ExportedRequest, seq: number): string {
  return [
    block('meta', [`name: ${title}`, 'type: http', `seq: ${seq}`]),
    block(method.toLowerCase(), [`url: ${url}`, `body: ${body === undefined ? 'none' : 'json'}`, 'auth: none']),
    block(
      'headers',
      headers.map(([name, value]) => `${name}: ${value}`),
    ),
    ...(body === undefined ? [] : [block('body:json', body.split('\n'))]),
    block('docs', [description]),
  ].join('\n');
}

function block(name: string, lines: readonly string[]): string {
  return `${name} {\n${lines.map((line) => `  ${line}`).join('\n')}\n}\n`;
}
