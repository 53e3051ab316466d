import { mediaType } from '../../client/index.ts';
import type { CallableId } from '../../spec/index.ts';
import type { Place } from './documents.ts';
import { type FlatSchema, flatSchema } from './flat-schema.ts';
import type { OperationPlace } from './listed-operations.ts';
import type { LoadedDocument } from './loaded-document.ts';
import { loadDocument } from './loaded-document.ts';
import type { Listed } from './match-operations.ts';
import { type Held, matchedOperations } from './matched-operations.ts';

/** A response in a document. */
export interface DescribedResponse {
  /** Schemas by media type; absent: nothing is said about the body. */
  readonly content?: ReadonlyMap<string, FlatSchema | undefined>;
}

/** An operation of the specification as a document describes it. */
export interface DescribedOperation {
  /** `GET /v1/friends/block/{offset}/{limit}`, as the document has it. */
  readonly place: string;
  /** By status: `200`, `4XX`, `default`. */
  readonly responses: ReadonlyMap<string, DescribedResponse>;
  /** The fields of its request that are required; absent: nothing is said about a JSON body. */
  readonly required?: readonly string[];
}

/** The operations that a document describes. @throws ConfigurationError */
export function describedOperations(path: string, held: Held): ReadonlyMap<CallableId, DescribedOperation> {
  const document = loadDocument(path);
  const matched = matchedOperations([document], held).flatMap(({ wanted, found }) =>
    found ? [[wanted.id as CallableId, described(found.listed, document)] as const] : [],
  );
  document.assertValid();
  return new Map(matched);
}

function described(
  { method, path, entry: { operation } }: Listed<OperationPlace>,
  document: LoadedDocument,
): DescribedOperation {
  const { documents } = document;
  const responses = documents.members(documents.member(operation, 'responses')).map(([status, response]) => {
    const content = contentOf(documents.follow(response), 'response', document);
    return [status.toUpperCase().replace('DEFAULT', 'default'), content ? { content } : {}] as const;
  });
  const body = contentOf(documents.follow(documents.member(operation, 'requestBody')), 'request', document);
  const json = body?.get('application/json');
  return {
    place: `${method} ${path}`,
    responses: new Map(responses),
    ...(json ? { required: json.required ?? [] } : {}),
  };
}

function contentOf(
  place: Place,
  direction: 'request' | 'response',
  { documents, books }: LoadedDocument,
): ReadonlyMap<string, FlatSchema | undefined> | undefined {
  const content = documents.member(place, 'content');
  if (content.value === undefined) return undefined;
  return new Map(
    documents.members(content).map(([type, media]) => {
      const schema = documents.member(documents.follow(media), 'schema');
      const book = books[direction];
      return [
        mediaType(type) ?? type,
        schema.value === undefined ? undefined : flatSchema(book.definitions, book.add(schema)),
      ];
    }),
  );
}
