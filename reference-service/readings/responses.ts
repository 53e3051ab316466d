import { bodied, oneReadBehind, onSuccess, refusalsAre } from '../faults/tamper.ts';
import type { OutgoingResponse } from '../json-server.ts';
import { Refusal } from '../refusal.ts';
import { changing, otherwise, reading, type ServiceReading } from './service-reading.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The JSON value of a response; `undefined` if there is none. */
function said({ body }: OutgoingResponse): { readonly value: unknown } | undefined {
  try {
    return typeof body === 'string' && body !== '' ? { value: JSON.parse(body) } : undefined;
  } catch {
    return undefined;
  }
}

/** A response with another body; one that a fault made unreadable stays so. */
function withBody(response: OutgoingResponse, wrap: (value: unknown) => unknown): Partial<OutgoingResponse> {
  const found = said(response);
  if (!found && response.body !== '') return {};
  const headers = { ...response.headers, 'content-type': JSON_TYPE };
  const status = response.status === 204 ? 200 : response.status;
  return { status, headers, body: JSON.stringify(wrap(found?.value ?? null)) };
}

/** Every success in an envelope. */
export const enveloped = reading({
  all: {
    respond: onSuccess((response) => withBody(response, (data) => ({ code: 0, message: 'ok', data }))),
  },
});

/** Changes, but for those that a fault is in, are answered in another way. */
function onChanges(change: (response: OutgoingResponse) => Partial<OutgoingResponse>, erases: boolean): ServiceReading {
  return {
    changes: (spared) =>
      changing
        .filter((id) => !erases || (spared !== 'all' && spared !== id))
        .map((id) => otherwise(id, { respond: onSuccess(change) })),
  };
}

const bodiless = ({ headers }: OutgoingResponse) => ({ headers: { ...headers, 'content-type': undefined }, body: '' });

export const withoutBodies = onChanges(bodiless, true);
export const withStatus = (status: number): ServiceReading =>
  onChanges((response) => (response.body === '' ? {} : { status }), false);
export const noContent = onChanges((response) => ({ ...bodiless(response), status: 204 }), true);

/** The status is always 200, and the body signals success; a crash stays a crash. */
export const alwaysOk: ServiceReading = {
  changes: () => [
    otherwise('all', {
      respond: () => (response) => {
        const { status } = response;
        if (status >= 500 || status === 429 || (status >= 300 && status < 400)) return response;
        const isDone = status < 300;
        // A body that isn't JSON can't be wrapped, so a fault's HTML page stays one.
        if (isDone) return { ...response, ...withBody(response, (data) => ({ done: true, data })), status: 200 };
        const headers = { ...response.headers, 'content-type': JSON_TYPE };
        return { headers, status: 200, body: JSON.stringify({ done: false, problem: status }) };
      },
    }),
  ],
  successWhen: { pointer: '/done', value: true, text: '/done=true' },
};

export const problemErrors = reading({ all: { respond: refusalsAre.problems } });
export const textErrors = reading({ all: { respond: refusalsAre.texts } });
export const pageErrors = reading({ all: { respond: refusalsAre.pages } });
export const silentErrors = reading({ all: { respond: refusalsAre.silent } });

interface Entry {
  readonly userId: string;
}

/** List entries in another form; one without its id is unchanged. */
function listing(form: (entries: readonly Entry[]) => unknown): ServiceReading {
  const handle = bodied<readonly Entry[]>((entries) => {
    const isList = Array.isArray(entries) && entries.every((entry) => typeof entry?.userId === 'string');
    return isList ? form(entries) : entries;
  });
  return reading({ listBlocked: { handle }, listBlockers: { handle } });
}

export const addresses = listing((entries) =>
  entries.map(({ userId, ...rest }) => ({
    href: `https://users.example/v1/users/${encodeURIComponent(userId)}`,
    ...rest,
  })),
);
export const keyed = listing((entries) => Object.fromEntries(entries.map(({ userId, ...rest }) => [userId, rest])));

/** A list shows a change at the read after next. */
export const lagging = reading({ listBlocked: { handle: oneReadBehind() }, listBlockers: { handle: oneReadBehind() } });

/** A flag is on or off, and so is a default: the response says which, and not the default's words. */
export const switches = reading({
  evaluate: {
    handle: bodied<{ readonly key?: unknown; readonly value?: unknown } | undefined>((body) => {
      const { key, value } = body ?? {};
      return typeof value === 'string' ? { key, on: /^(true|on|yes|1|enabled)$/i.test(value) } : body;
    }),
  },
});

const THROTTLED_EVERY = 29;

/** Now and then a request is to come again, at once. */
export const throttling = reading({
  all: {
    arrive: () => {
      let asked = 0;
      return () => {
        if (++asked % THROTTLED_EVERY === 0) throw new Refusal(429, 'slow_down', 'come again', { 'retry-after': '0' });
      };
    },
  },
});
