import type { Conformance } from '../../client/index.ts';

/**
 * Holds the text of a header or parameter to a schema: it conforms as the text that it is, or as the number, boolean or list (style
 * `simple`) that it spells.
 */
export function textConformance(holds: Conformance): Conformance {
  return (value) => {
    const asText = holds(value);
    if (asText.length === 0 || typeof value !== 'string') return asText.map(inWords);
    const scalars = value.split(',').map(scalar);
    const spelled = [scalar(value), scalars, value.split(',')];
    if (spelled.some((each) => holds(each).length === 0)) return [];
    const [first = value] = spelled;
    return (typeof first === 'string' ? asText : holds(first)).map(inWords);
  };
}

function scalar(text: string): unknown {
  return /^(-?\d+(\.\d+)?([eE][+-]?\d+)?|true|false)$/.test(text)
    ? JSON.parse(text.replace(/^(-?)0+(?=\d)/, '$1'))
    : text;
}

function inWords(problem: string): string {
  return problem.replace(/^the body/, 'the value');
}
