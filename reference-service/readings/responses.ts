import { bodied, enveloped, oneReadBehind, onSuccess, refusalsAre, withBody } from '../faults/tamper.ts';
import { JSON_TYPE, type OutgoingResponse } from '../json-server.ts';
import { Refusal } from '../refusal.ts';
import { asItIs, changing, otherwise, type Readings, reading, type ServiceReading } from './service-reading.ts';

/**
 * Changes the successful responses of operations that change something. If the change removes bodies (`erases`), the operation with a fault
 * (`spared`) stays unchanged, because without a body nothing could show the fault.
 */
function onChanges(change: (response: OutgoingResponse) => Partial<OutgoingResponse>, erases: boolean): ServiceReading {
  return {
    changes: (spared) =>
      changing
        .filter((id) => !erases || (spared !== 'all' && spared !== id))
        .map((id) => otherwise(id, { respond: onSuccess(change) })),
  };
}

const withStatus = (status: number) => (response: OutgoingResponse) => (response.body === '' ? {} : { status });
const bodiless = ({ headers }: OutgoingResponse) => ({ headers: { ...headers, 'content-type': undefined }, body: '' });

interface Entry {
  readonly userId: string;
}

/** Shows the entries of a list in another form. If an entry has no `userId`, the list stays unchanged. */
function listing(form: (entries: readonly Entry[]) => unknown): ServiceReading {
  const handle = bodied<readonly Entry[]>((entries) => {
    const isList = Array.isArray(entries) && entries.every((entry) => typeof entry?.userId === 'string');
    return isList ? form(entries) : entries;
  });
  return reading({ listBlocked: { handle }, listBlockers: { handle } });
}

const THROTTLED_EVERY = 29;

/** Rejects one in THROTTLED_EVERY requests with a 429 whose Retry-After allows an immediate repeat. */
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

/**
 * Responds with 200 to every request, and shows only in the body whether the request succeeded. A redirect, a 429 and a 5xx stay unchanged.
 */
const alwaysOk: ServiceReading = {
  changes: () => [
    otherwise('all', {
      respond: () => (response) => {
        const { status } = response;
        if (status >= 500 || status === 429 || (status >= 300 && status < 400)) return response;
        const isDone = status < 300;
        // A body that isn't JSON, such as the HTML page of a fault, stays unchanged, because it can't be wrapped.
        if (isDone) return { ...response, ...withBody(response, (data) => ({ done: true, data })), status: 200 };
        const headers = { ...response.headers, 'content-type': JSON_TYPE };
        return { headers, status: 200, body: JSON.stringify({ done: false, problem: status }) };
      },
    }),
  ],
  successWhen: { pointer: '/done', value: true, text: '/done=true' },
};

export const responseReadings = {
  listLag: {
    none: asItIs,
    some: reading({ listBlocked: { handle: oneReadBehind() }, listBlockers: { handle: oneReadBehind() } }),
  },
  idForm: {
    bare: asItIs,
    address: listing((entries) =>
      entries.map(({ userId, ...rest }) => ({
        href: `https://users.example/v1/users/${encodeURIComponent(userId)}`,
        ...rest,
      })),
    ),
    key: listing((entries) => Object.fromEntries(entries.map(({ userId, ...rest }) => [userId, rest]))),
  },
  bodyForm: {
    bare: asItIs,
    envelope: reading({ all: { respond: enveloped } }),
    nothing: onChanges(bodiless, true),
  },
  successStatus: {
    ok: asItIs,
    created: onChanges(withStatus(201), false),
    accepted: onChanges(withStatus(202), false),
    empty: onChanges((response) => ({ ...bodiless(response), status: 204 }), true),
  },
  errorForm: {
    json: asItIs,
    problem: reading({ all: { respond: refusalsAre.problems } }),
    text: reading({ all: { respond: refusalsAre.texts } }),
    page: reading({ all: { respond: refusalsAre.pages } }),
    nothing: reading({ all: { respond: refusalsAre.silent } }),
  },
  successRule: { status: asItIs, body: alwaysOk },
} as const satisfies Readings;
