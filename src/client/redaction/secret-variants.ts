/** A shorter piece of base64 would match ordinary text. */
const SHORTEST_PIECE = 8;

/**
 * The ways in which a secret can stand in a text: plain, URL-encoded, JSON-escaped, HTML-escaped, hex, and inside
 * base64 at any of the three offsets that a prefix ("user:", "bearer ") can shift it by.
 */
export function secretVariants(secret: string): string[] {
  const url = encodeURIComponent(secret);
  const hex = Buffer.from(secret).toString('hex');
  const variants = [
    secret,
    url,
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    encodeURIComponent(url),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    hex,
    hex.toUpperCase(),
    ...base64Pieces(secret),
  ];
  return [...new Set(variants)].sort((a, b) => b.length - a.length);
}

function base64Pieces(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const pieces = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  for (const shift of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    // The characters at either end also carry bits of the neighbours, so only the middle is certain.
    const first = shift === 0 ? 0 : shift + 1;
    const last = Math.floor(((shift + bytes.length) * 8) / 6);
    const middle = text.slice(first, last);
    pieces.push(middle, middle.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return pieces.filter((piece) => piece.length >= SHORTEST_PIECE);
}
