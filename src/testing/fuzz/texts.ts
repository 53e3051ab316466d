import fc from 'fast-check';

const numbers = '0 -1 1e9 99999999999999999999 NaN 1/2 5s 1h 0s -5s 999d';
const names = 'null true undefined __proto__ constructor toString';
const paths = '.. . ../../etc/passwd / \\ ~ * %00 % %s%n $HOME $(id) `id` file:///etc/passwd';
const marks = '" \' ` \\" # = == : ; , ,, | <b> &amp; {{a}} {{{ }} {userId}';
const letters = 'é ✓ 😀 ﷺ \u0000 \u001b[2J \u001b]0;x\u0007 \u202e \ufeff \uffff \ufffd \ud800';
const addresses =
  'http:// http://a https://a.test:0/ http://[::1 http://127.0.0.1:99999/ http://a:b@c/ http://127.0.0.1:9/../.. ftp://a/ ' +
  'javascript:1 http://127.0.0.1:9/?a#b //127.0.0.1:9 /a=1 /= /~2=x /a={ @read=1s';
const spaced = ['http://a b/', 'GET /v1/{userId}', 'POST /', 'GET /v1/../{userId}', '* * * * * for 1h in UTC'];

/** Values that have spoilt programs before: empty, huge, other alphabets, control characters, names of an object's machinery. */
const nasty = [
  ...['', ' ', '\r\n', '\n', '\t', 'a'.repeat(5_000), ...spaced],
  ...[numbers, names, paths, marks, letters, addresses].flatMap((text) => text.split(' ')),
];

export const anyText = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...nasty) },
  { weight: 2, arbitrary: fc.array(fc.nat(0x10_ff_ff), { maxLength: 40 }).map((all) => String.fromCodePoint(...all)) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...nasty), { maxLength: 4 }).map((parts) => parts.join('')) },
);

const ALL = Number.POSITIVE_INFINITY;
const place = fc.double({ min: 0, max: 1, noNaN: true });

/** A change of a text, at a part of its length: cut, a piece put in, written over or taken out, or all of it something else. */
const change = fc.oneof(
  place.map((at) => ({ at, removed: ALL, added: '' })),
  fc.tuple(place, anyText).map(([at, added]) => ({ at, removed: 0, added })),
  fc.tuple(place, anyText).map(([at, added]) => ({ at, removed: added.length, added })),
  fc.tuple(place, fc.nat(200)).map(([at, removed]) => ({ at, removed, added: '' })),
  anyText.map((added) => ({ at: 0, removed: ALL, added })),
);

export function changed(text: string): fc.Arbitrary<string> {
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) =>
    changes.reduce((result, { at, removed, added }) => {
      const from = Math.floor(at * result.length);
      return result.slice(0, from) + added + result.slice(from + removed);
    }, text),
  );
}

/** A JSON value in which any part is something else: removed, of another type, or a nasty text. */
export function changedJson(value: unknown): fc.Arbitrary<string> {
  const places = placesOf(value);
  const instead = fc.oneof(anyText, fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined));
  return fc
    .array(fc.tuple(fc.constantFrom(...places), instead), { minLength: 1, maxLength: 3 })
    .map((changes) => JSON.stringify(changes.reduce((whole, [place, part]) => put(whole, place, part), value)) ?? '');
}

type Place = readonly (string | number)[];

function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, part]) => placesOf(part).map((place) => [key, ...place]))];
}

function put(value: unknown, [key, ...rest]: Place, part: unknown): unknown {
  if (key === undefined) return part;
  if (typeof value !== 'object' || value === null) return value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  Object.assign(copy, { [key]: put((copy as Record<string, unknown>)[key], rest, part) });
  return copy;
}
