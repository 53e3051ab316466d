import { isAbsolute, join, resolve } from 'node:path';
import { mediaType } from '../../call/index.ts';
import { type AreaId, areaIds, areas, type CallableId } from '../../service/index.ts';
import type {
  Conformance,
  Contract,
  SpecifiedContent,
  SpecifiedOperation,
  SpecifiedResponse,
  SpecifiedValue,
} from '../../verdict/index.ts';
import { attempt, ConfigurationError } from '../configuration-error.ts';
import { definedFields } from '../defined-fields.ts';
import { fileRoles, isThere } from '../files/index.ts';
import type { Report } from '../keys/check-keys.ts';
import type { Values } from '../keys/keys.ts';
import { pathList } from '../keys/values.ts';
import { workFolder } from '../project-root.ts';
import type { Place } from './documents.ts';
import type { ListedOperation } from './listed-operations.ts';
import { forgetDocument, type Held, type LoadedDocument, loadDocument, matchedOperations } from './loaded-document.ts';
import type { SchemaBook } from './schema-book.ts';

/** Loads the documents that OPENAPI names. `values` are the checked values of an environment's file, which is in `folder`. */
export function contractOf(values: Partial<Values>, folder: string, report: Report): Contract | undefined {
  const { OPENAPI: paths, FRIEND_PROFILE_REQUEST: readProfile } = values;
  const addresses = areaIds.map((area) => [area, values[areas[area].addressKey]] as const);
  // In a document, the path of an operation may begin with the path of its area's address, so no operation can be found without the
  // addresses. `checkKeys` has already reported a missing address.
  if (!paths || addresses.some(([, address]) => !address)) return undefined;
  const held = { addresses: Object.fromEntries(addresses) as Record<AreaId, URL>, ...definedFields({ readProfile }) };
  const documents = () => paths.map((path) => documentPath(path, folder));
  const found = attempt(() => loadContract(documents(), held));
  if (!(found instanceof ConfigurationError)) return found;
  report('OPENAPI', found.message);
  return undefined;
}

/** The paths of the documents that `openApi`, a value of OPENAPI, lists. `folder` is the folder of the environment's file. */
export function contractFiles(openApi: string, folder: string): string[] {
  const checked = pathList(openApi);
  const paths = 'value' in checked ? checked.value : [];
  return paths.map((path) => documentPath(path, folder));
}

/** Resolves a path relative to the environment's file. If no file is there, the path is relative to the project. */
function documentPath(path: string, folder: string): string {
  if (isAbsolute(path)) return path;
  const near = join(folder, path);
  return isThere(near, fileRoles.given) ? near : resolve(workFolder, path);
}

/**
 * Loads documents and finds each operation of an environment in them. If several documents contain an operation, the first of these
 * documents is used. @throws ConfigurationError
 */
export function loadContract(paths: readonly string[], held: Held): Contract {
  try {
    return contractIn(paths.map(loadDocument), held);
  } catch (error) {
    paths.forEach(forgetDocument);
    throw error;
  }
}

function contractIn(documents: readonly LoadedDocument[], held: Held): Contract {
  const operations = new Map<CallableId, SpecifiedOperation>();
  const unmatched: string[] = [];
  for (const { wanted, found } of matchedOperations(documents, held))
    if (found) operations.set(wanted.id as CallableId, specifiedOperation(found.listed, found.document));
    else unmatched.push(`${wanted.id} (${wanted.method} ${wanted.path})`);
  const books = documents.flatMap((document) => Object.values(document.books));
  for (const book of books) book.assertValid();
  const all = (list: 'ignored' | 'circular') => [...new Set(books.flatMap((book) => book[list]))];
  const lists = { unmatched, ignored: all('ignored'), circular: all('circular') };
  return { documents: documents.map(({ name }) => name), operations, ...lists };
}

/** A document's specification of an operation. Its schemas are compiled later, after all schemas are known. @throws DocumentTrouble */
function specifiedOperation(listed: ListedOperation, { name: file, books }: LoadedDocument): SpecifiedOperation {
  const { method, path, item, operation } = listed;
  const found = operation
    .at('responses')
    .entries()
    .filter(([name]) => !name.startsWith('x-'));
  const responses = found.map(([status, response]): [string, SpecifiedResponse] => [
    statusOf(status, response),
    responseOf(response.followed(), books.response),
  ]);
  const body = operation.at('requestBody').followed();
  const required = body.at('required').value === true;
  return {
    file,
    place: `${method} ${path}`,
    parameters: parametersOf(item, operation, books.request),
    ...(body.value === undefined ? {} : { requestBody: { required, content: contentOf(body, books.request) } }),
    responses: new Map(responses),
  };
}

function statusOf(status: string, response: Place): string {
  const name = status.toUpperCase();
  if (/^[1-5](\d\d|XX)$/.test(name)) return name;
  if (status === 'default') return status;
  throw response.trouble('is no status; expected e.g. 200, 4XX or default');
}

function responseOf(response: Place, book: SchemaBook): SpecifiedResponse {
  const headers = response
    .at('headers')
    .entries()
    // OpenAPI ignores a header of this name (Response Object).
    .filter(([name]) => name.toLowerCase() !== 'content-type')
    .map(([name, header]) => specifiedValue({ name, in: 'header' }, header.followed(), book));
  const isDescribed = response.at('content').value !== undefined;
  return { headers, ...(isDescribed ? { content: contentOf(response, book) } : {}) };
}

/** Checks of bodies by media type; `undefined` for a media type without a schema. */
function contentOf(place: Place, book: SchemaBook): SpecifiedContent {
  const found = place.at('content').entries();
  return new Map(
    found.map(([type, media]) => {
      const schema = media.followed().at('schema');
      return [mediaType(type) ?? type, schema.value === undefined ? undefined : book.conformance(schema)];
    }),
  );
}

/** Parameters of the path. Parameters of the operation with the same name and place replace them. */
function parametersOf(item: Place, operation: Place, book: SchemaBook): SpecifiedValue[] {
  const all = new Map<string, SpecifiedValue>();
  for (const place of [item, operation])
    for (const found of place.at('parameters').members()) {
      const parameter = found.followed();
      const { name, in: where } = (parameter.value ?? {}) as { name?: unknown; in?: unknown };
      // Parameters in cookies are skipped, because Sextant sends no cookies.
      if (typeof name !== 'string' || (where !== 'header' && where !== 'path' && where !== 'query')) continue;
      all.set(`${where} ${name}`, specifiedValue({ name, in: where }, parameter, book));
    }
  return [...all.values()];
}

function specifiedValue(named: Pick<SpecifiedValue, 'name' | 'in'>, place: Place, book: SchemaBook): SpecifiedValue {
  const schema = place.at('schema');
  const required = place.at('required').value === true;
  if (schema.value === undefined) return { ...named, required };
  return { ...named, required, holds: textConformance(book.conformance(schema)) };
}

/**
 * Checks the text of a header or parameter. The text itself, or the number, boolean or list (style `simple`) that the text spells, must
 * conform to the schema.
 */
function textConformance(holds: Conformance): Conformance {
  return (value) => {
    const asText = holds(value);
    if (asText.length === 0 || typeof value !== 'string') return asText.map(inWords);
    const scalars = value.split(',').map(scalar);
    const spelled = [scalar(value), scalars, value.split(',')];
    if (spelled.some((each) => holds(each).length === 0)) return [];
    const [first = value] = spelled;
    return (typeof first === 'string' ? asText : holds(first)).map(inWords);
  };
}

function scalar(text: string): unknown {
  return /^(-?\d+(\.\d+)?([eE][+-]?\d+)?|true|false)$/.test(text)
    ? JSON.parse(text.replace(/^(-?)0+(?=\d)/, '$1'))
    : text;
}

function inWords(problem: string): string {
  return problem.replace(/^the body/, 'the value');
}
