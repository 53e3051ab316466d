import type { Exchange } from '../http/exchange.ts';
import type { Form, NextForm } from '../requests/forms.ts';

interface Sent<A> {
  readonly refused: readonly Exchange[];
  /** The form that was not refused; absent where all were. */
  readonly last?: { readonly form: Form<A>; readonly exchange: Exchange };
}

interface FormsOptions<A> {
  readonly send: (args: A) => Promise<Exchange>;
  /** Whether an exchange asks for the next form. */
  readonly isRefused: (exchange: Exchange) => boolean;
  readonly nextForm: NextForm<A> | undefined;
}

/** Sends arguments, and their other forms one after the other, until one is not refused. */
export async function sendInForms<A>(args: A, { send, isRefused, nextForm }: FormsOptions<A>): Promise<Sent<A>> {
  const refused: Exchange[] = [];
  let form: Form<A> | undefined = { args, taken: () => {} };
  while (form) {
    const exchange = await send(form.args);
    if (!isRefused(exchange)) return { refused, last: { form, exchange } };
    refused.push(exchange);
    form = await nextForm?.(exchange);
  }
  return { refused };
}
