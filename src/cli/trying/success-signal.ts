/** A scalar near the top of a body that tells success from refusal. */
export interface Signal {
  /** JSON Pointer. */
  readonly pointer: string;
  readonly value: string | number | boolean | null;
}

/** Names of fields that signal an outcome, the most telling first. */
const NAMES =
  /^(success|succeeded|ok|code|error_?code|err_?code|errno|status|status_?code|result|error|errors|message|msg)$/i;
const ORDER = ['success', 'succeeded', 'ok', 'code', 'errorcode', 'errcode', 'errno', 'status', 'statuscode', 'result'];
const LONGEST = 40;

/** The value of SUCCESS_WHEN, e.g. `/code=0`: alike in all accepted responses, and different in the refused one. */
export function successRule(accepted: readonly unknown[], refused: unknown): string | undefined {
  const [first, ...others] = accepted.map((body) => signalsIn(body));
  if (!first) return undefined;
  const inRefused = signalsIn(refused);
  const found = first.filter(
    ({ pointer, value }) =>
      others.every((signals) => signals.some((each) => each.pointer === pointer && each.value === value)) &&
      inRefused.some((each) => each.pointer === pointer && each.value !== value),
  );
  const [best] = found.sort((a, b) => rank(a) - rank(b));
  return best && `${best.pointer}=${JSON.stringify(best.value)}`;
}

/** The signal that a 2xx is a refusal nevertheless; `undefined` if nothing points at it. */
export function refusalSignal(body: unknown): Signal | undefined {
  return signalsIn(body).find(({ pointer, value }) => {
    const name = pointer.split('/').at(-1) ?? '';
    if (/^(success|succeeded|ok)$/i.test(name)) return value === false;
    if (/code$|^status$|^errno$/i.test(name)) return typeof value === 'number' && value >= 400 && value < 600;
    if (/^(status|result)$/i.test(name))
      return typeof value === 'string' && /^(error|fail(ed|ure)?|denied|unauthori[sz]ed)$/i.test(value);
    return false;
  });
}

/** At the top, and one level below. */
function signalsIn(body: unknown, above = '', depth = 0): Signal[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  return Object.entries(body).flatMap(([name, value]): Signal[] => {
    const pointer = `${above}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (typeof value === 'object' && value !== null) return depth === 0 ? signalsIn(value, pointer, 1) : [];
    const isShort = typeof value !== 'string' || value.length <= LONGEST;
    const isScalar = ['string', 'number', 'boolean'].includes(typeof value) || value === null;
    return isScalar && isShort && NAMES.test(name) ? [{ pointer, value: value as Signal['value'] }] : [];
  });
}

function rank({ pointer }: Signal): number {
  const name = pointer.split('/').at(-1)?.toLowerCase().replaceAll('_', '') ?? '';
  const at = ORDER.indexOf(name);
  return (at < 0 ? ORDER.length : at) + (pointer.split('/').length - 2) * ORDER.length;
}
