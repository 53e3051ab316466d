import type { CallableId } from '../../spec/index.ts';
import { type FlatSchema, flatSchema } from './flat-schema.ts';
import { byMediaType, type ListedOperation, type LoadedDocument, loadDocument } from './loaded-document.ts';
import { type Held, matchedOperations } from './matched-operations.ts';
import type { Place } from './place.ts';
import type { Direction } from './schema-book.ts';

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

function described({ method, path, operation }: ListedOperation, { books }: LoadedDocument): DescribedOperation {
  const contentOf = (place: Place, direction: Direction) => {
    const { definitions } = books[direction];
    const content = place.followed().at('content');
    if (content.value === undefined) return undefined;
    return byMediaType(content, (schema) => flatSchema(definitions, books[direction].add(schema)));
  };
  const responses = operation.at('responses').entries();
  const json = contentOf(operation.at('requestBody'), 'request')?.get('application/json');
  return {
    place: `${method} ${path}`,
    responses: new Map(
      responses.map(([status, response]) => {
        const content = contentOf(response, 'response');
        return [status.toUpperCase().replace('DEFAULT', 'default'), content ? { content } : {}];
      }),
    ),
    ...(json ? { required: json.required ?? [] } : {}),
  };
}
