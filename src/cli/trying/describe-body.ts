import type { HttpResponse } from '../../client/index.ts';
import { counted } from '../../config/index.ts';

const MOST_NAMES = 5;
const LONGEST_NAME = 30;

/** The form of a JSON body: never values, which may be personal. */
export function describeBody({ body }: Pick<HttpResponse, 'body'>): string {
  if (!body.json.ok) return 'no JSON';
  const { value } = body.json;
  if (Array.isArray(value)) return `a list of ${counted(value.length, 'entry', 'entries')}`;
  if (value === null) return 'null';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const names = Object.keys(value);
  const shown = names.slice(0, MOST_NAMES).map((name) => name.slice(0, LONGEST_NAME));
  if (names.length === 0) return 'an empty object';
  return `an object with ${shown.join(', ')}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ''}`;
}
