import { mediaType, responseKind } from '../../call/index.ts';
import { type Exchange, header, throttlingOf } from '../../http/index.ts';
import { type Success, UNKNOWN_FIELD } from '../../questions/index.ts';
import { isMadeBySuite } from '../../safety/index.ts';
import type { ObservedOperation, ObservedResponse, SuccessRule } from '../../verdict/index.ts';
import { inferSchema, shapeText } from './schema.ts';
import { addToProfile, emptyProfile, type ValueProfile } from './value-profile.ts';

interface KindSamples {
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

function kindSize({ withJson, withText, empty }: KindSamples): number {
  return withJson + withText + empty;
}

/** Collects the responses of a survey. Keeps only the data that is needed to infer schemas. */
export function samplesFrom() {
  const kept: Record<string, Record<string, KindSamples>> = {};
  /** All ids that were sent. If a response has one of these ids as a field name, the name is data rather than part of the schema. */
  const ids = new Set<string>();
  return {
    add: (exchange: Exchange, rule: SuccessRule | undefined): void => {
      const { operation, response, request, startedAt } = exchange;
      // Responses of a failing service don't show how normal responses look.
      if (!response || response.status >= 500 || throttlingOf(exchange)) return;
      for (const id of idsIn(request)) ids.add(id);
      kept[operation] ??= {};
      const kinds = kept[operation];
      const kind = responseKind(exchange, response, rule);
      const samples: KindSamples = kinds[kind] ?? {
        contentTypes: [],
        values: emptyProfile(),
        withJson: 0,
        withText: 0,
        empty: 0,
        observedAt: '',
        // If two kinds begin within one millisecond, adding 1 keeps their order.
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
          isId: (name) => ids.has(name) || isMadeBySuite(name),
          // `includes` is a field of requests only, except in avatars, where it lists the numbers of items.
          isRequests: (name) => name === UNKNOWN_FIELD || (name === 'includes' && operation !== 'saveAvatar'),
        });
      } else if (json.problem === 'empty') samples.empty++;
      else samples.withText++;
    },
    successes: (operation: string): Success[] =>
      Object.entries(kept[operation] ?? {})
        .filter(([kind]) => /^2\d\d$/.test(kind))
        .map(([status, samples]) => {
          return { status, firstAt: samples.firstAt, samples: kindSize(samples), shape: shapeOf(samples) };
        }),
    /** The content of each `schemas/observed/<environment>/<operation>.json`. */
    observed: (): ObservedOperation[] =>
      Object.entries(kept).map(([operation, kinds]) => ({
        operation,
        answers: Object.fromEntries(Object.entries(kinds).map(([kind, samples]) => [kind, observedOf(samples)])),
      })),
  };
}

function shapeOf({ withJson, withText, empty, values }: KindSamples): string | undefined {
  if (withText > 0) return undefined;
  if (withJson === 0) return 'no body';
  const text = shapeText(inferSchema(values));
  return empty > 0 ? `${text}, or no body` : text;
}

function observedOf(samples: KindSamples): ObservedResponse {
  const { contentTypes, withJson, withText, empty, observedAt, values } = samples;
  return {
    contentTypes: [...contentTypes].sort(),
    samples: kindSize(samples),
    observedAt,
    body: withText > 0 ? 'text' : withJson === 0 ? 'never' : empty === 0 ? 'always' : 'sometimes',
    ...(withText === 0 && withJson > 0 ? { schema: inferSchema(values) } : {}),
  };
}
