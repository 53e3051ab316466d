/**
 * A call is one attachment of its test, because each costs a step, a message to the main process and a file. The
 * report derives the rest: the operation from the name, the curl line from a field in the body.
 */

/** The name of a call's attachment; it begins with the operation. */
export function exchangeTitle(operation: string, rest: string): string {
  return `${operation}: ${rest}`;
}

export function operationOf(title: string): string {
  return title.split(':')[0] ?? title;
}
