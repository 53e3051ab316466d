import { type Exchange, leaves, parsedJson } from '../http/index.ts';
import { type CallableId, callable, callableIds } from '../service/index.ts';

/** How a failing call ended, as far as causes are told apart by it: `404`, `5xx`, `2xx json`, `connect`. */
export type Symptom = string;

/** What came back: a status and a body, or the phase in which nothing did. */
export type Ending = { readonly status: number; readonly text: string } | { readonly phase: string };

/** Of a success the body matters, of an error its status: services word their errors differently. */
export function symptomOf(ending: Ending): Symptom {
  if ('phase' in ending) return ending.phase;
  const { status, text } = ending;
  if (status >= 500) return '5xx';
  return status >= 400 ? String(status) : `${Math.floor(status / 100)}xx ${bodyOf(text)}`;
}

/**
 * The symptom by which a fault may be recognised; `undefined` where the failure has a plainer explanation: the service answers with a server
 * error, or a list has no entries. Many faults end so, and to name one of them would be a guess.
 */
export function tellingSymptom(ending: Ending, operation: string | undefined): Symptom | undefined {
  if ('phase' in ending) return symptomOf(ending);
  const isList = isCallable(operation) && callable(operation).isPaged === true;
  const isPlain = ending.status >= 500 || (isList && hasNoValue(ending.text));
  return isPlain ? undefined : symptomOf(ending);
}

function isCallable(name: string | undefined): name is CallableId {
  return callableIds.some((id) => id === name);
}

function hasNoValue(text: string): boolean {
  return [...leaves(parsedJson(text) ?? [])].every(({ isKey }) => isKey);
}

export function symptomOfExchange({ response, failure }: Pick<Exchange, 'response' | 'failure'>): Symptom | undefined {
  if (response) return symptomOf({ status: response.status, text: response.body.text });
  return failure && symptomOf({ phase: failure.phase });
}

function bodyOf(text: string): string {
  const start = text.trimStart().slice(0, 1);
  if (start === '') return 'empty';
  return start === '{' || start === '[' ? 'json' : 'other';
}
