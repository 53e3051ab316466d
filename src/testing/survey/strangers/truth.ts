/**
 * The true answers for a stranger, in the survey's words: the first row whose operations (`*`, or names with spaces between) and
 * question match. Every question of a survey must have one.
 */
export type Truth = readonly (readonly [operations: string, question: RegExp, answer: string | RegExp])[];

/** What is true of most strangers, below the rows of each. */
const usualTruth: Truth = [
  ['*', /^success-status$/, /^200(; the first save .*)?$/],
  ['*', /^missing-header:app-/, 'accepted'],
  ['*', /^(missing|wrong)-header:(Authorization|mm-api-key)$/, 'refused with 401'],
  ['*', /^scheme-case$/, 'any case'],
  ['*', /^token-user$/, 'tied'],
  ['*', /^method-not-allowed$/, 'refused with 405'],
  ['*', /^required-field:/, 'optional'],
  ['*', /^(wrong-type:|unknown-field$|missing-content-type$)/, 'accepted'],
  ['*', /^malformed-json$/, 'refused with 400'],
  ['*', /^text-limit:/, 'none up to 10000 characters'],
  ['*', /^allowed-values:/, /^all that were tried: /],
  ['cloneType', /^repeat$/, 'refused with 409'],
  ['deleteItem', /^(repeat|unknown-item)$/, 'refused with 404'],
  ['*', /^(repeat|unknown-user)$/, 'accepted'],
  ['*', /^unknown-code$/, 'refused with 400'],
  ['*', /^unknown-(story|language|item)$/, 'refused with 404'],
  ['*', /^block-visible$/, 'at once'],
  ['*', /^default-fallback$/, 'the default, unchanged'],
  ['*', /^includes-effect$/, 'only the fields named are applied; avartarUrl names url'],
];

/** The true answer to a question about an operation. */
export function truthOf(truth: Truth, operation: string, question: string): string | RegExp | undefined {
  return [...truth, ...usualTruth].find(
    ([operations, of]) => (operations === '*' || operations.split(' ').includes(operation)) && of.test(question),
  )?.[2];
}
