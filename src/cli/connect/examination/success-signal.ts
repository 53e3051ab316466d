/** A scalar near the top of a body. */
export interface Signal {
  readonly pointer: string;
  readonly value: string | number | boolean | null;
}

/** Names that signal an outcome, the most telling first; other names may, too, and come after these. */
const NAMES = ['success', 'succeeded', 'ok', 'code', 'errorcode', 'errcode', 'errno', 'status', 'statuscode', 'result'];
const LONGEST = 40;

/**
 * The value of SUCCESS_WHEN, e.g. `/code=0`: alike in most of the accepted responses (one may be a refusal of its values, which looks
 * accepted as long as the rule isn't known), and different in the refused one. An unusual name counts if its value
 * is a boolean, or if several responses have it in common.
 */
export function successRule(accepted: readonly unknown[], refused: unknown): string | undefined {
  const inAccepted = accepted.map((body) => signalsIn(body));
  const isLike = (a: Signal) => (b: Signal) => a.pointer === b.pointer && a.value === b.value;
  const sharing = (signal: Signal) => inAccepted.filter((signals) => signals.some(isLike(signal))).length;
  const inRefused = signalsIn(refused);
  const found = inAccepted.flat().filter((signal) => {
    const { pointer, value } = signal;
    const isOther = inRefused.some((each) => each.pointer === pointer && each.value !== value);
    const isKnown = typeof value === 'boolean' || NAMES.includes(nameOf(pointer));
    return isOther && sharing(signal) * 2 > accepted.length && (isKnown || sharing(signal) > 1);
  });
  const [best] = found.sort((a, b) => rank(a) - rank(b));
  return best && `${best.pointer}=${JSON.stringify(best.value)}`;
}

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

/** Booleans before other values, known names before others, the top before what is below. */
function rank({ pointer, value }: Signal): number {
  const at = NAMES.indexOf(nameOf(pointer));
  const byName = at >= 0 ? at : NAMES.length + (typeof value === 'boolean' ? 0 : 1);
  return byName + (pointer.split('/').length - 2) * 2 * NAMES.length;
}

function nameOf(pointer: string): string {
  return pointer.split('/').at(-1)?.toLowerCase().replaceAll('_', '') ?? '';
}
