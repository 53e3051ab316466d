import { expiryInToken, type Issued, NotIssued } from '../../client/index.ts';
import { problemOfSecret } from '../secrets.ts';

/** What an issuer's answer says of its credential. */
export interface IssuedText {
  readonly value: unknown;
  /** In seconds from now. */
  readonly expiresIn?: unknown;
}

/** @throws NotIssued when the text can't be a credential; the message never contains it. */
export function issuedOf({ value, expiresIn }: IssuedText, key: string, issuer: string, now = Date.now()): Issued {
  const text = typeof value === 'string' ? value.trim() : '';
  const problem = problemOfSecret(text);
  if (problem) throw new NotIssued(`${key} was not issued: what ${issuer} returned ${problem}`);
  const seconds = Number(expiresIn ?? Number.NaN);
  const expiresAt = Number.isFinite(seconds) && seconds > 0 ? now + seconds * 1000 : expiryInToken(text);
  return { value: text, ...(expiresAt === undefined ? {} : { expiresAt }) };
}
