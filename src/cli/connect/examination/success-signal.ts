/** A scalar near the top of a body. */
export interface Signal {
  readonly pointer: string;
  readonly value: string | number | boolean | null;
}

const LONGEST = 40;

/** The signal that a 2xx is a refusal nevertheless; `undefined` if nothing points at it. */
export function refusalSignal(body: unknown): Signal | undefined {
  return signalsIn(body).find(({ pointer, value }) => {
    const name = nameOf(pointer);
    if (/^(success|succeeded|ok|done)$/.test(name)) return value === false;
    if (/code$|^status$|^errno$/.test(name) && typeof value === 'number') return value >= 400 && value < 600;
    const isWord = typeof value === 'string' && /^(error|fail(ed|ure)?|denied|unauthori[sz]ed)$/i.test(value);
    return /^(status|result)$/.test(name) && isWord;
  });
}

/** At the top, and one level below. */
function signalsIn(body: unknown, above = '', depth = 0): Signal[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  return Object.entries(body).flatMap(([name, value]): Signal[] => {
    const pointer = `${above}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (typeof value === 'object' && value !== null) return depth === 0 ? signalsIn(value, pointer, 1) : [];
    const isShort = typeof value !== 'string' || value.length <= LONGEST;
    return isShort ? [{ pointer, value: value as Signal['value'] }] : [];
  });
}

function nameOf(pointer: string): string {
  return pointer.split('/').at(-1)?.toLowerCase().replaceAll('_', '') ?? '';
}
