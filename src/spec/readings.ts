import type { OperationId } from './operations.ts';

export interface OpenQuestion {
  readonly question: string;
  /** The place in the specification that leaves it open. */
  readonly openIn: string;
  /** Every possible reading in words, the least demanding first, which is tried first. */
  readonly readings: Readonly<Record<string, string>>;
  readonly key?: string;
  readonly by?: OperationId;
  /** The operations whose arguments take their form from the reading. */
  readonly formOf?: readonly OperationId[];
  /** The headers or operations that the question is about. */
  readonly of?: 'header';
  /** The survey's question that answers it, and patterns that map its fact to a reading: the first match counts. */
  readonly fact?: { readonly question: string; readonly readings: Readonly<Record<string, RegExp>> };
}

/** What holds for each question about a header other than a credential. */
const ofHeader = {
  openIn: 'part 5 lists the headers of a request, but does not say that each is checked',
  key: 'HEADERS_NOT_CHECKED',
  of: 'header',
} as const;

const acceptance = { accepted: /^(accepted|optional)/, refused: /^(refused|required)/ };

/**
 * Questions that the specification leaves open, with their readings, each of which is correct. A known reading (from its key or a survey)
 * is expected with grade `learned`. If none is known, the least demanding one is expected, and the observed one is
 * used for the run. A new question is an entry here; the drill's readings of the reference service follow from it.
 */
export const openQuestions = {
  typeVersion: {
    question: 'which version a clone names',
    openIn: 'part 2, design type clone: "version label of the type"',
    readings: {
      source: "the label of the source's version, sent unchanged",
      copy: 'a label for the copy, a new one each time',
    },
    key: 'TYPE_VERSION_MEANS',
    by: 'cloneType',
    formOf: ['cloneType'],
  },
  unknownUser: {
    question: 'whether an unknown user can be blocked',
    openIn: 'part 7: errors are not shown',
    readings: { accepted: 'anybody can be blocked', refused: 'only existing users can be blocked' },
    key: 'UNKNOWN_USERS_ARE',
    by: 'block',
    fact: { question: 'unknown-user', readings: acceptance },
  },
  reportAgain: {
    question: 'whether a user can report one story twice',
    openIn: 'part 3: states and transitions are not shown',
    readings: { accepted: 'as often as they like', refused: 'once' },
    key: 'REPORTS_AGAIN_ARE',
    by: 'report',
  },
  reportCodes: {
    question: 'how many codes one report may hold',
    openIn: 'part 8: limits are not shown',
    readings: { all: 'every code of the options', some: 'several, but not all of them' },
    key: 'REPORT_CODES_AT_ONCE',
    by: 'report',
  },
  flagDefault: {
    question: 'how a response shows that the default was used',
    openIn: 'part 4, rule 8: response bodies are not shown',
    readings: {
      returned: 'the default stands in it',
      decides: 'the flag is on or off, following the default (true or false, on or off …)',
    },
    key: 'FLAG_DEFAULT_IS',
    by: 'evaluate',
    fact: { question: 'default-fallback', readings: { returned: /^the default, unchanged/ } },
  },
  avatarForm: {
    question: 'what an avatar may hold',
    openIn: 'parts 2 and 8: allowed values and limits are not shown',
    readings: {
      marked: 'a generated name with a hyphen; meta as key=value pairs',
      plain: 'letters and digits only in names; numbers as ids; meta as JSON',
    },
    key: 'AVATARS_ARE',
    formOf: ['saveAvatar'],
  },
  profileForm: {
    question: 'what a profile may hold',
    openIn: 'parts 2 and 8: allowed values of status and gender, and limits, are not shown',
    readings: {
      text: 'status is any short text',
      online: 'status is one of some words, `online` among them',
      active: 'status is one of some words, `active` among them',
      'online-2': 'the same as `online`, with another gender code',
      'active-2': 'the same as `active`, with another gender code',
    },
    key: 'PROFILES_ARE',
    formOf: ['updateProfile', 'getFriendProfile'],
  },
  headerMissing: {
    ...ofHeader,
    question: 'whether a request without a header other than a credential is refused',
    readings: { refused: 'refused', accepted: 'accepted: no operation checks it' },
    fact: { question: 'missing-header', readings: acceptance },
  },
  headerEmpty: {
    ...ofHeader,
    question: 'whether an empty header other than a credential is refused',
    readings: { refused: 'refused', accepted: 'accepted' },
  },
  headerWrong: {
    ...ofHeader,
    question: 'whether an unknown id in a header is refused',
    readings: { refused: 'refused', accepted: 'accepted: only the credential identifies the caller' },
    fact: { question: 'wrong-header', readings: acceptance },
  },
  headerOfAnother: {
    ...ofHeader,
    question: "whether a token is refused together with another user's id",
    openIn: 'part 5: validation of the token is not shown',
    readings: { refused: 'a token is for one user', accepted: 'the id is not compared with the token' },
    fact: { question: 'token-user', readings: { accepted: /^not tied/, refused: /^tied/ } },
  },
  changeAgain: {
    question: 'the outcome of a repeated block or love',
    openIn: 'part 3: states and transitions are not shown',
    readings: { accepted: 'accepted', refused: 'refused' },
    fact: { question: 'repeat', readings: acceptance },
  },
  bodyForm: {
    question: 'the structure of response bodies',
    openIn: 'part 4, rule 8: response bodies are not shown',
    readings: { bare: 'as it is', envelope: 'in an envelope', nothing: 'changes return no body' },
  },
  idForm: {
    question: 'the form of an id in a response',
    openIn: 'part 4, rule 8: response bodies are not shown',
    readings: { bare: 'alone', address: 'as the end of an address', key: 'as the key of a map' },
  },
  successStatus: {
    question: 'the success status of a change',
    openIn: 'part 4, rule 8: success status codes are not shown',
    readings: { ok: '200', created: '201', accepted: '202', empty: '204' },
    fact: { question: 'success-status', readings: { ok: /^200/, created: /^201/, accepted: /^202/, empty: /^204/ } },
  },
  successRule: {
    question: 'what signals success',
    openIn: 'part 4, rule 8: success status codes are not shown',
    readings: { status: 'the status', body: 'a value in the body; the status is always 200' },
    key: 'SUCCESS_WHEN',
  },
  errorForm: {
    question: 'the shape of a rejection',
    openIn: 'part 7: the error body is not shown',
    readings: { json: 'JSON', problem: 'application/problem+json', text: 'text', page: 'a page', nothing: 'no body' },
  },
  listLag: {
    question: 'how long a list may lag behind a change',
    openIn: 'parts 3 and 8: neither states nor limits are shown',
    readings: { none: 'not at all', some: 'up to CONSISTENCY_TIMEOUT_MS' },
    key: 'CONSISTENCY_TIMEOUT_MS',
  },
  requestRate: {
    question: 'how many requests a second are taken',
    openIn: 'part 8: limits are not shown',
    readings: { any: 'as many as come' },
    key: 'MAX_REQUESTS_PER_SECOND',
  },
  unknownFields: {
    question: 'whether undocumented fields are refused',
    openIn: 'part 2: which fields are required is not shown',
    readings: { refused: 'refused', accepted: 'accepted' },
    fact: { question: 'unknown-field', readings: acceptance },
  },
} as const satisfies Record<string, OpenQuestion>;

export type QuestionId = keyof typeof openQuestions;

export function shownByOutcomesOf(question: QuestionId): OperationId | undefined {
  const { by }: OpenQuestion = openQuestions[question];
  return by;
}

/** The question that decides the form of an operation's arguments. */
export function questionOfForm(id: string): QuestionId | undefined {
  return questionIds.find((question) => {
    const { formOf }: OpenQuestion = openQuestions[question];
    return formOf?.some((each) => each === id);
  });
}

export const questionIds = Object.keys(openQuestions) as QuestionId[];
