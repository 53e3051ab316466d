import {
  type Exchange,
  header,
  mediaType,
  type ObservedOperation,
  responseKind,
  type SuccessRule,
} from '../../client/index.ts';
import { isMadeBySuite } from '../../scenario/index.ts';
import { inferSchema } from './schema.ts';
import { addToProfile, emptyProfile, type ValueProfile } from './value-profile.ts';

export interface KindSamples {
  readonly contentTypes: (string | null)[];
  readonly values: ValueProfile;
  withJson: number;
  withText: number;
  empty: number;
  observedAt: string;
  readonly firstAt: number;
}

function isIn({ url, body = '' }: Exchange['request'], text: string): boolean {
  return text !== '' && (body.includes(JSON.stringify(text)) || url.includes(encodeURIComponent(text)));
}

function idsIn({ headers, body = '' }: Exchange['request']): string[] {
  const inBody = [...body.matchAll(/"\w+Id":"((?:[^"\\]|\\.)+)"/g)].map(([, id]) => id ?? '');
  return [...inBody, headers['mm-user-id'] ?? ''].filter(Boolean);
}

export function kindSize({ withJson, withText, empty }: KindSamples): number {
  return withJson + withText + empty;
}

type Kept = Record<string, Record<string, KindSamples>>;

/** Every response of a survey, reduced to the data for inferring schemas. It can be stored and extended later. */
export class Samples {
  readonly #operations: Kept;
  /** The ids that were sent: as names in a response, they are data. */
  readonly #ids = new Set<string>();

  constructor(kept: Kept = {}) {
    this.#operations = kept;
  }

  add({ operation, response, request, startedAt }: Exchange, rule: SuccessRule | undefined): void {
    // Responses of a failing service are not expectations.
    if (!response || response.status >= 500 || response.status === 429) return;
    for (const id of idsIn(request)) this.#ids.add(id);
    this.#operations[operation] ??= {};
    const kinds = this.#operations[operation];
    const kind = responseKind(operation, response, rule);
    const samples: KindSamples = kinds[kind] ?? {
      contentTypes: [],
      values: emptyProfile(),
      withJson: 0,
      withText: 0,
      empty: 0,
      observedAt: '',
      // Two kinds may begin within one millisecond, and the first one came first.
      firstAt: Math.max(startedAt, ...Object.values(kinds).map((other) => other.firstAt + 1)),
    };
    kinds[kind] = samples;
    samples.observedAt = new Date(startedAt).toISOString();
    const type = mediaType(header(response, 'content-type'));
    if (!samples.contentTypes.includes(type)) samples.contentTypes.push(type);
    const { json } = response.body;
    if (json.ok) {
      samples.withJson++;
      addToProfile(samples.values, json.value, {
        sent: (text) => isIn(request, text),
        wrote: (text) => isMadeBySuite(text) && !isIn(request, text),
        isId: (name) => this.#ids.has(name) || isMadeBySuite(name),
      });
    } else if (json.problem === 'empty') samples.empty++;
    else samples.withText++;
  }

  of(operation: string): ReadonlyMap<string, KindSamples> {
    return new Map(Object.entries(this.#operations[operation] ?? {}));
  }

  /** The content of `schemas/observed/<environment>/<operation>.json`. */
  observed(): ObservedOperation[] {
    return Object.entries(this.#operations).map(([operation, kinds]) => ({
      operation,
      answers: Object.fromEntries(
        Object.entries(kinds).map(([kind, { contentTypes, withJson, withText, empty, observedAt, values }]) => [
          kind,
          {
            contentTypes: [...contentTypes].sort(),
            samples: withJson + withText + empty,
            observedAt,
            body: withText > 0 ? 'text' : withJson === 0 ? 'never' : empty === 0 ? 'always' : 'sometimes',
            ...(withText === 0 && withJson > 0 ? { schema: inferSchema(values) } : {}),
          } as const,
        ]),
      ),
    }));
  }

  toJSON(): Kept {
    return this.#operations;
  }
}
