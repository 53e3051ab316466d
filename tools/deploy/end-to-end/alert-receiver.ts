import { receiver } from '../../../src/testing/monitor/receiver.ts';

/** An alert as Alertmanager's webhook has it. */
export interface SentAlert {
  readonly status: 'firing' | 'resolved';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export async function alertReceiver() {
  const { url, received, end } = await receiver();
  return {
    /** Without a path. */
    address: new URL(url).host,
    /** The alerts that were sent to a path, in their order. */
    sentTo: (path: string): SentAlert[] =>
      received
        .filter((each) => each.path === path)
        .flatMap(({ body }) => (JSON.parse(body) as { alerts: SentAlert[] }).alerts),
    end,
  };
}
