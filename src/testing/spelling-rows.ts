import { MASK, Redactor, Secret } from '../redaction/index.ts';
import { interrupted, kindsOfSecret, spellings, unmasked } from './secret-spellings.ts';

/** A short secret, with characters that each encoding writes differently. */
const EXAMPLE = 'Tok+1/"é" &=x';

const masked = Object.entries({ ...spellings, ...interrupted });
const redactors = Object.values(kindsOfSecret).map((value) => ({ value, redactor: new Redactor([new Secret(value)]) }));
const isMasked = (written: (value: string) => string) =>
  redactors.every(({ value, redactor }) => redactor.text(`before ${written(value)} after`).includes(MASK));

/** Each spelling with an example, and whether the redactor masks it for every kind of secret, alone and inside each other spelling. */
export function spellingRows() {
  return [...masked, ...Object.entries(unmasked)].map(([name, write]) => {
    const within = masked.filter(([, again]) => isMasked((value) => again(write(value))));
    const missing = masked.filter((each) => !within.includes(each)).map(([other]) => other);
    const inside = missing.length === 0 ? 'yes' : within.length === 0 ? 'no' : `yes, except in ${missing.join(', ')}`;
    return { name, example: write(EXAMPLE), alone: isMasked(write) ? 'yes' : 'no', inside };
  });
}
