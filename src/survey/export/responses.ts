import { STATUS_CODES } from 'node:http';
import { type LearnedFacts, type ObservedOperation, type ObservedResponse, parsedJson } from '../../client/index.ts';
import { counted, type Environment } from '../../config/index.ts';
import { headerSets, headers, type Operation, type OperationId, operation } from '../../spec/index.ts';

interface ResponseOptions {
  readonly observed: ObservedOperation | undefined;
  readonly facts: LearnedFacts | undefined;
  /** For each success. */
  readonly links: object | undefined;
  /** Whether any other response is allowed as well. */
  readonly allowsOthers: boolean;
}

export function responsesOf(id: string, { observed, facts, links, allowsOthers }: ResponseOptions) {
  // `200` and `200 refused` are one status with two bodies.
  const byStatus = Map.groupBy(Object.entries(observed?.answers ?? {}), ([kind]) => kind.split(' ')[0] ?? kind);
  const examples = examplesOf(id, facts);
  const known = [...byStatus].map(([status, kinds]) => {
    const answers = kinds.map(([, answer]) => answer);
    const linked = links && /^2/.test(status) ? { links } : {};
    return [status, { ...response(status, answers, examples.get(status)), ...linked }];
  });
  const rest = { description: observed ? 'never observed' : 'not in the specification, and not observed' };
  return { ...Object.fromEntries(known), ...(allowsOthers || known.length === 0 ? { default: rest } : {}) };
}

function response(status: string, answers: readonly ObservedResponse[], example: Example | undefined) {
  const samples = answers.reduce((sum, answer) => sum + answer.samples, 0);
  const description = `${STATUS_CODES[status] ?? 'Status'} (observed in ${counted(samples, 'response')})`;
  const types = new Set(answers.flatMap(({ contentTypes }) => contentTypes).filter((type) => type !== null));
  const schemas = answers.flatMap(({ schema }) => (schema ? [schema] : []));
  const schema = schemas.length > 1 ? { anyOf: schemas } : schemas[0];
  const hasBody = answers.some(({ body }) => body !== 'never');
  if (!hasBody || types.size === 0) return { description };
  const content = (type: string) => ({
    ...(schema ? { schema } : {}),
    ...(example?.type === type ? { example: example.value } : {}),
  });
  return { description, content: Object.fromEntries([...types].map((type) => [type, content(type)])) };
}

interface Example {
  readonly type: string;
  readonly value: unknown;
}

/** By status: the first whole body in the evidence of a survey, which is redacted. */
function examplesOf(id: string, facts: LearnedFacts | undefined): ReadonlyMap<string, Example> {
  const found = new Map<string, Example>();
  for (const { operation, evidence } of facts?.values() ?? []) {
    if (operation !== id) continue;
    for (const { excerpt } of evidence) {
      const [, status, type, text] = /^(\d{3}) (\S+) {2}(.*)$/s.exec(excerpt) ?? [];
      // A long body is cut.
      const value = parsedJson(text);
      if (status && type && value !== undefined && !found.has(status)) found.set(status, { type, value });
    }
  }
  return found;
}

/** Links from a change to what undoes it and what shows it. */
export function linksOf({ undo, shownBy, restoredBy }: Operation, environment: Environment | undefined) {
  const read = restoredBy && environment?.readProfile;
  const links = [
    ...(undo ? [linkTo(operation(undo as OperationId), 'undoes it', { requestBody: '$request.body' })] : []),
    ...(shownBy ? [linkTo(operation(shownBy as OperationId), 'shows it', {}, environment?.blockListSegments)] : []),
    ...(read ? [linkTo(read, 'shows it', {}, { userId: '$request.header.mm-user-id' })] : []),
  ];
  return links.length > 0 ? Object.fromEntries(links) : undefined;
}

/** As the same caller. */
function linkTo({ id, headerSet }: Operation, description: string, rest: object, inPath: Record<string, string> = {}) {
  const parameters = {
    ...Object.fromEntries(Object.entries(inPath).map(([name, value]) => [`path.${name}`, value])),
    ...Object.fromEntries(
      headerSets[headerSet].map((key) => [`header.${headers[key].name}`, `$request.header.${headers[key].name}`]),
    ),
  };
  return [id, { operationId: id, description, parameters, ...rest }] as const;
}
