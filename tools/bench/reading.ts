import { setTimeout as wait } from 'node:timers/promises';

const paths = ['/', '/?text=friends', '/?environment=size-1', '/feed.atom', '/status.json'];
/** A page that costs next to nothing: its time is that of the connection and of waiting for the monitor's other work. */
const TRIVIAL = '/healthz';

/**
 * Simulates readers who load a page of a monitor once a second, and a client that asks for its health ten times a second. Resolves after `isOver`
 * with a line for each page, with the ratio of its p50 to that of the health.
 */
export async function readPages(url: string, readers: number, isOver: () => boolean): Promise<string[]> {
  const loaded = new Map<string, { readonly ms: number; readonly bytes: number; readonly sent: number }[]>();
  async function visit(path: string): Promise<void> {
    const all = loaded.get(path) ?? [];
    all.push(await load(new URL(path, url)));
    loaded.set(path, all);
  }
  async function read(index: number): Promise<void> {
    await wait(index * 100);
    for (let turn = index; !isOver(); turn++) {
      await visit(paths[turn % paths.length] ?? '/');
      await wait(1_000);
    }
  }
  async function ask(): Promise<void> {
    for (; !isOver(); await wait(100)) await visit(TRIVIAL);
  }
  await Promise.all([ask(), ...Array.from({ length: readers }, (_, index) => read(index))]);

  const timesOf = (path: string) => loaded.get(path)?.map(({ ms }) => ms) ?? [];
  const trivial = percentileOf(timesOf(TRIVIAL), 50);
  return [...loaded].map(([path, all]) => {
    const times = timesOf(path);
    const ratio = percentileOf(times, 50) / trivial;
    const most = (size: 'bytes' | 'sent') => (Math.max(...all.map((each) => each[size])) / 1000).toFixed(0);
    return `${path}: ${all.length} times, p50 ${percentileOf(times, 50).toFixed(1)} ms (${ratio.toFixed(1)} × ${TRIVIAL}), p99 ${percentileOf(times, 99).toFixed(1)} ms; at most ${most('bytes')} kB, compressed ${most('sent')} kB`;
  });
}

/** Loads a page. Returns its time in ms, and its sizes in bytes, decoded and as sent. */
async function load(url: URL) {
  const before = performance.now();
  const response = await fetch(url);
  const sent = Number(response.headers.get('content-length'));
  const { byteLength: bytes } = await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return { ms: performance.now() - before, bytes, sent };
}

/** The value that `percent` of `values` don't exceed (nearest rank). */
export function percentileOf(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}
