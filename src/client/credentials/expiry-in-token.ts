/** When a JSON Web Token expires, by its `exp`: epoch, in ms; `undefined` for any other text. Nothing is verified. */
export function expiryInToken(token: string): number | undefined {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token) ?? [];
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const exp = (claims as { readonly exp?: unknown } | null)?.exp;
    return typeof exp === 'number' && exp > 0 && exp < 1e11 ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
