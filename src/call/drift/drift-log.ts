import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import type { FormatsPlugin } from 'ajv-formats';
import { type Fact, surveyCommand } from '../../facts/index.ts';
import { type Exchange, type HttpResponse, header, type Parsed } from '../../http/index.ts';
import {
  areaTitle,
  type CallableId,
  callable,
  hasTwoSuccesses,
  type OperationId,
  operations,
} from '../../service/index.ts';
import {
  type CallSite,
  type Claim,
  type Differences,
  type Drift,
  type ExpectationError,
  ExpectationLog,
  type Expected,
  excerpt,
  type FlatSchema,
  noDifference,
  type ObservedOperation,
  type ObservedResponse,
  type Observer,
  outcomeOf,
  type ServiceUnderTest,
  type SuccessRule,
} from '../../verdict/index.ts';

/**
 * A changed answer. `says` is the new answer, in words that continue the name of the operation. `before` is the old one. `breaks`: the
 * change breaks a consumer.
 */
interface BrokenAnswer {
  readonly says: string;
  readonly before: string;
  readonly breaks: boolean;
}

/** The learned answers and shapes that no longer held in one scenario. `endScenario` decides whether they fail the scenario. */
export class DriftLog extends ExpectationLog {
  readonly #brokenAnswer: (fact: Fact, now: string) => BrokenAnswer;

  constructor(target: ServiceUnderTest, observer: Observer, brokenAnswer: (fact: Fact, now: string) => BrokenAnswer) {
    super(target, observer);
    this.#brokenAnswer = brokenAnswer;
  }

  /** The errors, with changes that break a consumer at the beginning, because the first error decides the verdict. */
  override get broken(): readonly ExpectationError[] {
    return super.broken.toSorted((a, b) => Number(b.failure.drift?.breaks) - Number(a.failure.drift?.breaks));
  }

  /**
   * Checks a response that was expected to have `outcome`; `site` returns the stack of the spec's line. Learned schemas describe responses to valid
   * requests. A response to an invalid request (`isValid` false) may repeat that request, so it isn't checked.
   */
  hold(exchange: Exchange, outcome: Expected, site: CallSite, isValid: boolean): void {
    if (!isValid) return;
    const { observed, successWhen } = this.target;
    const { operation } = exchange;
    const known = observed?.get(operation);
    // A survey observes only the operation's own method.
    if (!known || exchange.request.method !== methodOf(operation, this.target)) return;
    const { broken, noted } = driftOf(exchange, known, successWhen);
    for (const text of noted) this.note('new', `${operation}: ${text}`);
    if (broken.length === 0) return;
    const asked = ['success-status', 'answer-shape'].map((question) => ({ question, operation }));
    const what = outcome === 'refusal' ? 'a rejection' : 'a response';
    const observations = Object.values(known.answers);
    const days = observations.map(({ observedAt }) => observedAt).sort();
    const samples = observations.reduce((sum, each) => sum + each.samples, 0);
    const does = outcome === 'refusal' ? 'refuses differently' : 'responds differently';
    const sentence = `${operation} ${does} than on ${dayText(days.at(-1), exchange)}: ${broken.join('; ')}`;
    const evidence = `observed in ${samples} responses of ${operation}`;
    const drift = { sentence, evidence, asked, breaks: true, isShape: true } as const;
    this.#add(exchange, `learned: ${what} of ${operation} has the observed shape`, drift, site);
  }

  /** Checks the response to a repeated request: its outcome must be the one that the survey found. */
  holdRepeat(exchange: Exchange, site: CallSite): void {
    const { facts, successWhen } = this.target;
    const fact = facts?.of('repeat', exchange.operation);
    const { response } = exchange;
    if (!fact || !response) return;
    const { isAccepted, isRefusal } = outcomeOf(exchange, successWhen);
    const now = isAccepted ? 'accepted' : isRefusal ? `refused with ${response.status}` : undefined;
    if (now !== undefined && now !== fact.answer && !now.startsWith(`${fact.answer} `))
      this.broke(fact, now, exchange, site);
  }

  /** Records that a fact no longer holds: `exchange` shows the answer `now` instead. */
  broke(fact: Fact, now: string, exchange: Exchange, site: CallSite): void {
    const { operation, question, answer, evidence: seen, askedAt } = fact;
    const { says, before, breaks } = this.#brokenAnswer(fact, now);
    const sentence = `${operation} ${says} (${before} on ${dayText(askedAt, exchange)})`;
    const evidence = `${question} of ${operation} is now “${now}”; the facts of ${this.target.name} say “${answer}” (${seen})`;
    const drift = { sentence, evidence, asked: [{ question, operation }], breaks };
    this.#add(exchange, `learned: ${question} of ${operation} is still ${answer}`, drift, site);
  }

  #add(exchange: Exchange, claim: Claim, given: Drift, site: CallSite): void {
    // Field names and answers come from the service, so `excerpt` keeps a terminal from interpreting them.
    const said = `${areaTitle(callable(given.asked[0]?.operation as CallableId).area)}: ${given.sentence}`;
    const drift = { ...given, sentence: excerpt(said, 300), evidence: excerpt(given.evidence, 600) };
    const command = surveyCommand(this.target.name, drift.asked, { update: true });
    const isFirst = this.note(
      'drift',
      `${drift.sentence}; if that is intended, run \`${command}\` to accept it`,
      drift,
    );
    if (isFirst) this.add(exchange, { verdict: 'drifted', claim, observed: drift.evidence, drift }, site);
  }
}

/** The day of a text such as `2026-11-28T10:00:00Z`, with the year if the exchange is of another year. */
function dayText(text = '', { startedAt }: Exchange): string {
  const day = new Date(text);
  const isNow = day.getUTCFullYear() === new Date(startedAt).getUTCFullYear();
  const year = isNow ? {} : ({ year: 'numeric' } as const);
  return day.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year, timeZone: 'UTC' });
}

function methodOf(id: CallableId, { readProfile }: ServiceUnderTest): string | undefined {
  return id in operations ? operations[id as OperationId].method : readProfile?.method;
}

/** Loaded with the first observed schema, because most environments have none. */
let ajv: Ajv | undefined;
/** Maximum number of new fields of a body that are reported. */
const MOST_NEW = 20;
const compiled = new WeakMap<object, ValidateFunction>();

function validatorOf(schema: FlatSchema): ValidateFunction {
  ajv ??= newAjv();
  const validate = compiled.get(schema) ?? ajv.compile(closed(schema));
  compiled.set(schema, validate);
  return validate;
}

function newAjv(): Ajv {
  const require = createRequire(import.meta.url);
  const { Ajv } = require('ajv') as typeof import('ajv');
  // A survey wrote the schemas, and strict mode finds mistakes in them. Validating them against the meta-schema, or optimizing the code, would take
  // longer than a run.
  const quick = { meta: false, validateSchema: false, code: { optimize: false } } as const;
  const options = { strict: true, allowUnionTypes: true, allErrors: true, verbose: true, ...quick };
  return (require('ajv-formats') as FormatsPlugin)(new Ajv(options));
}

/**
 * Compares a response with those observed for its operation. A success with a new status is drift, but is only noted if the operation can
 * succeed in two ways. A rejection with a new status is only noted, too, because the survey may have caused no rejection of this kind.
 */
export function driftOf(exchange: Exchange, observed: ObservedOperation, rule: SuccessRule | undefined): Differences {
  const { operation, response } = exchange;
  if (!response) return noDifference;
  const kind = responseKind(exchange, response, rule);
  const knownShape = observed.answers[kind];
  if (!knownShape) {
    const isSuccess = /^2\d\d$/.test(kind);
    const seen = Object.keys(observed.answers).filter((other) => /^2\d\d$/.test(other) === isSuccess);
    // Some operations can succeed with two statuses, for example because they add or update, or because a list may be empty. The survey may
    // have observed only one of them, so the other one is only noted.
    const wasEmpty = callable(operation).isPaged && seen.join() === '204';
    if (!isSuccess || hasTwoSuccesses(operation) || wasEmpty)
      return {
        broken: [],
        noted: [`status ${kind}, which was never observed (observed: ${seen.join(', ') || 'none'})`],
      };
    return seen.length === 0
      ? noDifference
      : { broken: [`status ${kind}, but ${seen.join(' or ')} was observed`], noted: [] };
  }
  const type = mediaType(header(response, 'content-type'));
  if (!knownShape.contentTypes.includes(type)) {
    const seen = knownShape.contentTypes.map((other) => other ?? 'none').join(', ');
    return { broken: [`content type ${type ?? 'none'}, but ${seen} was observed`], noted: [] };
  }
  return bodyDrift(response.body.json, knownShape);
}

/** A content type without parameters, in lower case; null for none. */
export function mediaType(value: string | undefined): string | null {
  return value?.split(';')[0]?.trim().toLowerCase() || null;
}

function bodyDrift(json: Parsed, known: ObservedResponse): Differences {
  if (known.body === 'text') return noDifference;
  const isEmpty = !json.ok && json.problem === 'empty';
  if (known.body === 'never') return isEmpty ? noDifference : { broken: ['a body, but none was observed'], noted: [] };
  if (!known.schema || (isEmpty && known.body === 'sometimes')) return noDifference;
  if (!json.ok) return { broken: [`the body is ${json.problem}, but JSON was observed`], noted: [] };
  const validate = validatorOf(known.schema);
  const errors = validate(json.value) ? [] : (validate.errors ?? []);
  const {
    enum: values = [],
    additionalProperties = [],
    broken = [],
  } = Object.groupBy(errors, ({ keyword }) =>
    // A new value or a new field is only noted, because no number of samples proves that a survey saw every value and every field.
    keyword === 'enum' || keyword === 'additionalProperties' ? keyword : 'broken',
  );
  const added = additionalProperties.slice(0, MOST_NEW).map(({ instancePath, params }) => {
    return `${instancePath}/${params.additionalProperty.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  });
  return {
    broken: unique(broken.map((error) => words(error, added))),
    noted: unique([
      ...added.map((pointer) => `${generic(pointer)} is new`),
      ...values.map(({ instancePath }) => `${generic(instancePath)} has a value that was never observed`),
    ]),
  };
}

/** A copy of `schema` for which a field that was never observed is an error. */
function closed({ properties, additionalProperties, items, ...rest }: FlatSchema): object {
  const fields = Object.entries(properties ?? {}).map(([name, inner]) => [name, closed(inner)]);
  return {
    ...rest,
    ...(items ? { items: closed(items) } : {}),
    ...(properties ? { properties: Object.fromEntries(fields), additionalProperties: false } : {}),
    ...(additionalProperties ? { additionalProperties: closed(additionalProperties) } : {}),
  };
}

function words({ keyword, instancePath, params, message, data }: ErrorObject, added: readonly string[]): string {
  const where = generic(instancePath) || 'the body';
  if (keyword === 'type') return `${where} is ${typeName(data)}, but ${[params.type].flat().join(' or ')} was observed`;
  if (keyword !== 'required') return `${where} ${message}`;
  const near = added.filter((pointer) => pointer.slice(0, pointer.lastIndexOf('/')) === instancePath);
  const renamed = near.length === 1 ? `; renamed to ${near[0]?.slice(instancePath.length + 1)}?` : '';
  return `${generic(`${instancePath}/${params.missingProperty}`)} is missing${renamed}`;
}

export function typeName(value: unknown): string {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Array.isArray(value) ? 'array' : 'object';
}

/** Writes `/3/userId` as `/*` + `/userId`, so that a hundred entries without a field are one problem. */
export function generic(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, '/*');
}

function unique(lines: readonly string[]): string[] {
  return [...new Set(lines)];
}

export function responseKind(exchange: Exchange, { status }: HttpResponse, rule: SuccessRule | undefined): string {
  const isRefusal = status < 300 && outcomeOf(exchange, rule).isRefusal;
  return `${status}${isRefusal ? ' refused' : ''}`;
}
