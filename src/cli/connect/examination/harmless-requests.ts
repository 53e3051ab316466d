import { Session } from '../../../call/index.ts';
import type { Environment } from '../../../environment/index.ts';
import { type Exchange, send, userAgent } from '../../../http/index.ts';
import { Redactor } from '../../../redaction/index.ts';
import { contextOutside } from '../../../safety/index.ts';
import { nodeTransports } from '../../../scenario/index.ts';
import {
  type AreaId,
  areaIds,
  firstArea,
  type Operation,
  operation,
  operationIds,
  readProfile,
  trials,
} from '../../../service/index.ts';

/** Sends a request that only reads; `without` is a header to leave out, in lower case. */
export type Read = (planned: PlannedRead, without?: string) => Promise<Exchange>;

/**
 * Runs `work` with a function that sends only requests that read. The function refuses any other request, even if the environment allows
 * it.
 */
export async function withReader<T>(environment: Environment, work: (read: Read) => Promise<T>): Promise<T> {
  const { context, end } = contextOutside(environment, {}, []);
  const target = { ...environment, allowedEffects: new Set(['read'] as const) };
  const session = new Session({ ...context, target }, environment.caller);
  try {
    return await work(({ operation, args }, without) =>
      session.exchange(operation, args, new Map(without ? [[without, undefined]] : [])),
    );
  } finally {
    end();
  }
}

export interface PlannedRead {
  readonly operation: Operation;
  readonly args: unknown;
  /** Keys of the environment whose values are in the request's path or body. */
  readonly keys: readonly string[];
}

/** The request with which to try an area without a change; `undefined` if the area has no such request. */
export function plannedRead(environment: Environment, area: AreaId): PlannedRead | undefined {
  const { blockListSegments: segments, data, caller, friend, readProfile: profileRequest } = environment;
  const id = operationIds.find((each) => operation(each).area === area && each in trials);
  const trial = id && trials[id];
  if (trial) {
    const values: Readonly<Record<string, string | undefined>> = {
      REPORT_LANGUAGE: data.reportLanguage,
      FLAG_KEY: data.flagKey,
    };
    const args = trial.args((key) => values[key], { segments, language: caller.app['app-lang'] });
    return { operation: operation(id), args, keys: trial.keys };
  }
  if (area !== readProfile.area || !profileRequest) return undefined;
  const keys = ['FRIEND_PROFILE_REQUEST', friend.userId ? 'FRIEND_USER_ID' : 'USER_ID'];
  return { operation: profileRequest, args: { userId: friend.userId ?? caller.userId }, keys };
}

/** Sends one `HEAD` to each base address of the `asked` areas, without credentials; any status counts as a response. */
export async function pingAll(environment: Environment, asked = areaIds): Promise<Map<AreaId, Exchange>> {
  const {
    addresses,
    requestTimeoutMs: timeoutMs,
    maxAnswerBytes: maxBytes,
    maxHeaderBytes,
    route,
    secrets,
  } = environment;
  const transports = nodeTransports(environment);
  const options = { timeoutMs, maxBytes, maxHeaderBytes, redactor: new Redactor(secrets), route };
  // A response to HEAD has no body, so it needs no compression.
  const headers = { 'accept-encoding': 'identity' };
  const byAddress = Map.groupBy(asked, (area) => addresses[area].href);
  try {
    const answers = await Promise.all(
      [...byAddress].map(async ([address, areas]) => {
        const [area = firstArea] = areas;
        const request = { method: 'HEAD', url: address, headers, credentials: new Map() };
        const transport = await transports.of(area);
        const asking = { ...readProfile, area, method: 'GET', path: '/v1/' } as const;
        const exchange = await send(transport, asking, request, { 'user-agent': userAgent }, options);
        return areas.map((each) => [each, exchange] as const);
      }),
    );
    return new Map(answers.flat());
  } finally {
    await transports.dispose();
  }
}
