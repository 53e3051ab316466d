import { type CallableId, callable, type HeaderName, headerSets, headers } from '../../../service/index.ts';
import { type House, lineOf, type Row, type Trouble } from './house.ts';
import { type Incoming, Stopped } from './serve.ts';
import { keysOf } from './stock.ts';

/**
 * The true answers of a test service, in the survey's words. The answer is in the first row that matches both the operation (`*` for all,
 * or names separated by spaces) and the question. Every question of a survey must have a row.
 */
export type Truth = readonly (readonly [operations: string, question: RegExp, answer: string | RegExp])[];

export const lists = 'listBlocked listBlockers';

/** True answers of most test services. The rows of a single service come before these. */
const usualTruth: Truth = [
  ['*', /^success-status$/, /^200(; the first save .*)?$/],
  ['*', /^(wrong-type:|unknown-field$|missing-content-type$)/, 'accepted'],
  ['*', /^malformed-json$/, 'refused with 400'],
  ['*', /^allowed-values:/, /^all that were tried: /],
  ['*', /^default-fallback$/, 'the default, unchanged'],
  ['*', /^known-flag$/, 'a value of its own'],
  ['*', /^love-shown$/, / shows it at /],
  ['*', /^avatar-(shown|items)$/, /^(not )?shown$/],
  ['*', /^partial-update$|^spaces-around$|^empty-list$|^foreign-item$/, /./],
  ['*', /^options-by-language$/, /^(own|codes)$/],
  ['*', /^empty-list$/, 'a success'],
  ['*', /^avatar-(shown|items)$/, 'not shown'],
  ['*', /^partial-update$/, 'the others are left'],
  ['*', /^profile-names$/, 'the documented ones'],
  ['*', /^spaces-around$/, 'kept'],
  ['*', /^(avatar|profile)-form$|^type-version$|^codes-at-once$/, /./],
  ['*', /^includes-effect$/, 'only the fields named are applied; avartarUrl names url'],
];

/** The answer of the first row that matches. */
export function answerIn(rows: Truth, operation: string, question: string): string | RegExp | undefined {
  const isOf = (operations: string) => operations === '*' || operations.split(' ').includes(operation);
  return rows.find(([operations, of]) => isOf(operations) && of.test(question))?.[2];
}

export function truthOf(truth: Truth, style: House, operation: string, question: string): string | RegExp | undefined {
  const [family = '', subject = ''] = question.split(':');
  const row = operation === 'getFriendProfile' ? 'updateProfile' : (operation as Row);
  return answerIn([...truth, ...usualTruth], operation, question) || ofStyle(style, row, family, subject);
}

/** The reason for which a service may refuse a repeated change, or an unknown user; by operation. */
const troubles: Readonly<Record<string, Partial<Record<CallableId, Trouble>>>> = {
  repeat: {
    block: 'blocked',
    unblock: 'not blocked',
    love: 'loved',
    unlove: 'not loved',
    cloneType: 'version',
    deleteItem: 'item',
  },
  'unknown-user': { block: 'friend', unblock: 'not blocked', readProfile: 'user' },
};

/** The answer that a survey must find if no row has one, derived from the description of the service: headers, schemas, refusals, stock. */
function ofStyle(style: House, row: Row, family: string, subject: string): string | undefined {
  const { schemas = {}, invalid = [400], errors, codes, languages = [] } = style;
  const right = rightHeaders(style);
  const name = subject.toLowerCase();
  const entered = (changes: Readonly<Record<string, string>>) => refusalOf(style, row, { ...right, ...changes });
  const refused = (status: number) => style.refused(status, '', asked(style, row, right)).status;
  switch (family) {
    case 'missing-header':
    case 'empty-header':
      return entered({ [name]: '' });
    case 'wrong-header':
      return entered({ [name]: name === 'authorization' ? 'bearer invented' : 'invented' });
    case 'love-shown': {
      const shown = errors['not loved'] ? 'unlove' : errors.loved ? 'love' : undefined;
      return shown ? `the caller's next response to ${shown} shows it at the status` : 'nothing shows it';
    }
    case 'token-user':
      return entered({ 'mm-user-id': Object.values(style.users)[1] ?? '' }) === 'accepted' ? 'not tied' : 'tied';
    case 'required-field':
      return /^[a-z]+\d*$/.test(schemas[row]?.[subject] ?? '') ? `required, else ${refused(invalid[0])}` : 'optional';
    case 'report-codes': {
      const [first, ...others] = codes;
      return [first, ...others.toSorted()].join(', ');
    }
    case 'languages':
      return `${languages.toSorted().join(', ')} of 16 tried`;
    default: {
      const known = family in troubles ? troubles[family]?.[row] : (family.replace('unknown-', '') as Trouble);
      const status = known && errors[known];
      return status ? `refused with ${refused(status)}` : 'accepted';
    }
  }
}

function refusalOf(style: House, row: Row, given: Readonly<Record<string, string>>): string {
  const incoming = asked(style, row, given);
  try {
    style.enter(incoming, style);
    return 'accepted';
  } catch (stopped) {
    if (!(stopped instanceof Stopped)) throw stopped;
    return `refused with ${style.refused(stopped.status, stopped.what, incoming).status}`;
  }
}

function asked(style: House, row: Row, given: Readonly<Record<string, string>>): Incoming {
  const [method, path] = lineOf(style, row);
  const sent = headerSets[callable(row).headerSet].filter((name) => given[name]);
  return { method, path, headers: Object.fromEntries(sent.map((name) => [name, given[name] ?? ''])), text: '' };
}

function rightHeaders(style: House): Record<HeaderName, string> {
  const { ACCESS_TOKEN, API_KEY, CLIENT_ID, USER_ID } = keysOf(style);
  const usual = Object.fromEntries(Object.keys(headers).map((name) => [name, '1'])) as Record<HeaderName, string>;
  const credentials = { authorization: `bearer ${ACCESS_TOKEN}`, 'mm-api-key': String(API_KEY) };
  return { ...usual, ...credentials, 'mm-client-id': String(CLIENT_ID), 'mm-user-id': String(USER_ID) };
}
