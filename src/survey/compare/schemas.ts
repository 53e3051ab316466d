import type { Facts } from '../../facts/index.ts';
import type { Impact } from '../../questions/index.ts';
import type { FlatSchema, ObservedOperation, ObservedResponse } from '../../verdict/index.ts';
import { ENOUGH } from '../inference/schema.ts';

/**
 * How strongly a difference between two surveys shows that the service has changed. contradiction: an unchanged service can't send the
 * responses of both surveys, so even a few samples prove a change · sight: only one survey saw a value or field · chance: two sets of
 * samples of an unchanged service may differ like this.
 */
type Evidence = 'contradiction' | 'sight' | 'chance';

interface SchemaChange {
  readonly text: string;
  readonly impact: Impact;
  readonly evidence: Evidence;
}

/** The knowledge about an environment: its facts, and its observed responses. */
export interface Learned {
  readonly facts: Facts;
  readonly answers: readonly ObservedOperation[];
}

type Observations = Pick<Learned, 'answers'>;

/** The observed responses of an operation, by their kind, such as `200` or `200 refused`. Empty if no response was observed. */
export function responsesOf({ answers }: Observations, operation: string): ObservedOperation['answers'] {
  return answers.find((entry) => entry.operation === operation)?.answers ?? {};
}

/**
 * The differences between the responses of an operation in two surveys. Compares only the kinds of responses that both surveys have, such
 * as `200`.
 */
export function responseChanges(operation: string, before: Observations, after: Observations) {
  const to = responsesOf(after, operation);
  return Object.entries(responsesOf(before, operation)).flatMap(([kind, old]) => {
    const found = to[kind] ? answerChanges(old, to[kind]) : [];
    return found.map(({ text, impact, evidence }) => {
      return { operation, impact, what: `response ${kind}: ${text}`, mayBeChance: evidence === 'chance' };
    });
  });
}

export function answerChanges(a: ObservedResponse, b: ObservedResponse): SchemaChange[] {
  const types = ({ contentTypes }: ObservedResponse) => contentTypes.map((type) => type ?? 'none').join(', ');
  const isNew = b.contentTypes.some((type) => !a.contentTypes.includes(type));
  const body = `body ${a.body} → ${b.body}`;
  // If only some responses have a body, it may be chance that all responses of a small sample have one, or that none has.
  const isPart = a.body === 'sometimes' && b.body !== 'text';
  return [
    ...(a.body === b.body ? [] : [isPart ? change(body, 'safe') : change(body, 'breaking', 'contradiction')]),
    ...(types(a) === types(b)
      ? []
      : [
          change(
            `content type ${types(a)} → ${types(b)}`,
            isNew ? 'breaking' : 'safe',
            isNew ? 'contradiction' : 'chance',
          ),
        ]),
    ...compared(a.schema ?? {}, b.schema ?? {}, '', b.samples < ENOUGH),
  ];
}

function change(text: string, impact: Impact, evidence: Evidence = 'chance'): SchemaChange {
  return { text, impact, evidence };
}

/** Compares two schemas at one place in a response. `isFew`: few samples contained this place, so schema `b` is less certain. */
function* compared(a: FlatSchema, b: FlatSchema, place: string, isFew: boolean): Generator<SchemaChange> {
  const where = place || 'the body';
  const [from, to] = [typesOf(a), typesOf(b)];
  if (from.length > 0 && to.length > 0) {
    const text = `${where} ${from.join(' | ')} → ${to.join(' | ')}`;
    const strange = to.filter((type) => !from.some((known) => includes(known, type)));
    // With few samples, a survey infers `number` even if it saw only whole numbers, so this may be no change.
    const isThin = isFew && strange.join() === 'number' && from.includes('integer');
    if (strange.length > 0) yield isThin ? change(text, 'unknown') : change(text, 'breaking', 'contradiction');
    else if (from.join() !== to.join()) yield change(text, 'safe');
  }
  if (a.format !== b.format && to.includes('string') && from.includes('string')) {
    const text = `${where} format ${a.format ?? 'none'} → ${b.format ?? 'none'}`;
    yield a.format ? change(text, 'unknown', isFew && !b.format ? 'chance' : 'sight') : change(text, 'safe');
  }
  const values = (b.enum ?? []).filter((value) => a.enum && !a.enum.includes(value));
  if (values.length > 0) yield change(`${where} may also be ${values.join(', ')}`, 'unknown', 'sight');
  yield* inFields(a, b, place);
  if (a.items && b.items) yield* compared(a.items, b.items, `${place}/*`, isFew);
  if (a.additionalProperties && b.additionalProperties)
    yield* compared(a.additionalProperties, b.additionalProperties, `${place}/*`, isFew);
}

function* inFields(a: FlatSchema, b: FlatSchema, place: string): Generator<SchemaChange> {
  if (!a.properties || !b.properties) return;
  // With fewer than 20 samples, a schema requires no field. So a field that is always present may be missing in `required`.
  const isThin = (b.required ?? []).length === 0;
  for (const [name, child] of Object.entries(a.properties)) {
    const wasSure = a.required?.includes(name) ?? false;
    const other = Object.hasOwn(b.properties, name) ? b.properties[name] : undefined;
    const text = `${place}/${name}`;
    if (!other) {
      yield wasSure
        ? change(`${text} is missing`, 'breaking', 'contradiction')
        : change(`${text} is missing`, 'unknown');
      continue;
    }
    const isSure = b.required?.includes(name) ?? false;
    const lost = `${text} is no longer always present`;
    if (wasSure && !isSure) yield isThin ? change(lost, 'unknown') : change(lost, 'breaking', 'contradiction');
    if (!wasSure && isSure) yield change(`${text} is always present`, 'safe');
    yield* compared(child, other, text, isThin);
  }
  for (const name of Object.keys(b.properties))
    if (!Object.hasOwn(a.properties, name)) yield change(`${place}/${name} is new`, 'safe', 'sight');
}

function typesOf({ type }: FlatSchema): string[] {
  return type === undefined ? [] : [type].flat();
}

function includes(wide: string, narrow: string): boolean {
  return wide === narrow || (wide === 'number' && narrow === 'integer');
}
