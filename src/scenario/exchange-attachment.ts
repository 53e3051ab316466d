/**
 * A call is one attachment of its test, for each costs a step, a message to the main process and a file. What else the
 * report shows of it is made of that one there: its operation of the name, the curl line of a field in the body.
 */

/** The name of a call's attachment; it begins with the operation. */
export function exchangeTitle(operation: string, rest: string): string {
  return `${operation}: ${rest}`;
}

/** The operation that an attachment's name begins with. */
export function operationOf(title: string): string {
  return title.split(':')[0] ?? title;
}
