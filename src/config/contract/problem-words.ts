import type { ErrorObject } from 'ajv';

/** Ajv's errors in words, one each: `/items/0/id is missing`. Of alternatives that all fail, the first problem stands for them. */
export function problemWords(errors: readonly ErrorObject[]): string[] {
  const kept: { readonly at: string; readonly text: string }[] = [];
  for (const error of errors) {
    const { keyword, instancePath } = error;
    if (keyword === 'if') continue;
    if (keyword === 'anyOf' || (keyword === 'oneOf' && error.params.passingSchemas === null)) {
      // The errors of the branches come right before the one of their parent.
      const from = kept.findLastIndex(({ at }) => !at.startsWith(instancePath)) + 1;
      const [closest] = kept.splice(from).toSorted((a, b) => b.at.length - a.at.length);
      const hint = closest ? ` (${closest.text})` : '';
      kept.push({ at: instancePath, text: `${placeOf(instancePath)} fits none of the specified alternatives${hint}` });
    } else kept.push({ at: instancePath, text: words(error) });
  }
  return [...new Set(kept.map(({ text }) => text))];
}

function words({ keyword, instancePath, params, message = 'is invalid', data }: ErrorObject): string {
  const where = placeOf(instancePath);
  switch (keyword) {
    case 'required':
      return `${generic(`${instancePath}/${params.missingProperty}`)} is missing`;
    case 'type':
      return `${where} is ${typeName(data)}, but ${[params.type].flat().join(' or ')} is specified`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `${generic(`${instancePath}/${params.additionalProperty ?? params.unevaluatedProperty}`)} isn't specified`;
    case 'enum':
      return `${where} is ${shown(data)}, but ${(params.allowedValues as unknown[]).map(shown).join(', ')} are specified`;
    case 'const':
      return `${where} is ${shown(data)}, but ${shown(params.allowedValue)} is specified`;
    case 'format':
      return `${where} is not in the format ${params.format}`;
    case 'oneOf':
      return `${where} fits more than one of the alternatives of which one is specified`;
    case 'false schema':
      return `${where} must not be there`;
    default:
      return `${where} ${message}`;
  }
}

function placeOf(pointer: string): string {
  return generic(pointer) || 'the body';
}

/** `/3/userId` as `/*` + `/userId`: a hundred entries without a field are one problem. */
function generic(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, '/*');
}

function typeName(value: unknown): string {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Array.isArray(value) ? 'array' : 'object';
}

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return typeName(value);
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
