import { SpecMistake } from '../../client/index.ts';
import { didYouMean } from '../../config/did-you-mean.ts';

/** What the language itself, or a tool that prints a value, asks of any object. */
const askedOfAny = new Set([
  'then',
  'toJSON',
  'asymmetricMatch',
  'nodeType',
  '$$typeof',
  ...Object.getOwnPropertyNames(Object.prototype),
]);

/** A client whose unknown names are a mistake of the spec that calls them; `area` as the spec writes it. */
export function refuseUnknown<T extends object>(client: T, area: string): T {
  return new Proxy(client, {
    get: (target, name, receiver) => {
      if (typeof name === 'symbol' || name in target || askedOfAny.has(name))
        return Reflect.get(target, name, receiver);
      const known = Object.keys(target);
      return () => {
        throw SpecMistake.of('misspelt operation', {
          area,
          name,
          hint: didYouMean(name, known),
          known: known.join(', '),
        });
      };
    },
  });
}
