/** Patterns that map a survey's fact to a reading: the first match counts. */
interface FactEntry {
  readonly question: string;
  readonly readings: Readonly<Record<string, RegExp>>;
}

interface QuestionEntry {
  readonly question: string;
  /** The place in the specification that leaves it open. */
  readonly openIn: string;
  /** Every possible reading in words, the least demanding first, which is tried first. */
  readonly readings: Readonly<Record<string, string>>;
  /** How to find it out with the least effect. */
  readonly foundBy: string;
  /** What depends on it, in the words of specs; empty if every reading is accepted. */
  readonly decides: string;
  /** The environment key for it. */
  readonly key?: string;
  /** The headers or operations that the question is about. */
  readonly of?: 'header';
  /** The fact of a survey that answers it. */
  readonly fact?: FactEntry;
}

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
      source: "the label of the source's version, sent as it stands",
      copy: 'a label that the copy gets, another one each time',
    },
    foundBy: 'TYPE_VERSION is sent as it stands; when that is refused, a new label in its form, once',
    decides: 'clone type; the specs of cloneType',
    key: 'TYPE_VERSION_MEANS',
  },
  unknownUser: {
    question: 'whether a user whom nobody has can be blocked',
    openIn: 'part 7: errors are not shown',
    readings: { accepted: 'anybody can be blocked', refused: 'only users that exist can be blocked' },
    foundBy: 'the first block of an invented user that a scenario makes anyway',
    decides: 'what blocks a third user where no provisioner makes one',
    key: 'UNKNOWN_USERS_ARE',
    fact: { question: 'unknown-user', readings: acceptance },
  },
  reportAgain: {
    question: 'whether a user can report one story twice',
    openIn: 'part 3: states and transitions are not shown',
    readings: { accepted: 'as often as they like', refused: 'once' },
    foundBy: 'the first report that is refused although one like it was accepted before',
    decides: 'fetch options, then report; the specs of report',
    key: 'REPORTS_AGAIN_ARE',
  },
  reportCodes: {
    question: 'how many codes one report may hold',
    openIn: 'part 8: limits are not shown',
    readings: { all: 'every code of the options', some: 'several, but not all of them' },
    foundBy: 'a report of all codes; when that is refused, reports of halves of them, until each code was accepted',
    decides: 'fetch options, then report',
    key: 'REPORT_CODES_AT_ONCE',
  },
  flagDefault: {
    question: 'how a response shows that the default was used',
    openIn: 'part 4, rule 8: response bodies are not shown',
    readings: {
      returned: 'the default stands in it',
      decides: 'the flag is on or off, as the default (true or false, on or off …) says',
    },
    foundBy: 'a default of text; when it is not in the response, pairs of defaults that mean yes and no',
    decides: 'evaluate a flag with default',
    key: 'FLAG_DEFAULT_IS',
    fact: { question: 'default-fallback', readings: { returned: /^the default, unchanged/ } },
  },
  avatarForm: {
    question: 'what an avatar may hold',
    openIn: 'parts 2 and 8: allowed values and limits are not shown',
    readings: {
      marked: 'a name that shows who made it, with a hyphen; meta as key=value pairs',
      plain: 'letters and digits alone in names; numbers as ids; meta as JSON',
    },
    foundBy: 'the forms in turn, when one is refused',
    decides: 'everything that saves an avatar',
    key: 'AVATARS_ARE',
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
    foundBy: 'the forms in turn, when one is refused',
    decides: 'everything that updates a profile',
    key: 'PROFILES_ARE',
  },
  headerMissing: {
    question: 'whether a request without a header that is no credential is refused',
    openIn: 'part 5 names the headers that a request carries, not that each is checked',
    readings: { refused: 'refused', accepted: 'accepted: no operation looks at it' },
    foundBy: 'the same change to reads that carry the header, when one was accepted without it',
    decides: 'the auth specs of headers that are missing',
    key: 'HEADERS_NOT_CHECKED',
    of: 'header',
    fact: { question: 'missing-header', readings: acceptance },
  },
  headerEmpty: {
    question: 'whether an empty header that is no credential is refused',
    openIn: 'part 5 names the headers that a request carries, not that each is checked',
    readings: { refused: 'refused', accepted: 'accepted' },
    foundBy: 'the same change to reads that carry the header',
    decides: 'the auth specs of empty headers',
    key: 'HEADERS_NOT_CHECKED',
    of: 'header',
  },
  headerWrong: {
    question: 'whether an id in a header that nobody has is refused',
    openIn: 'part 5 names the headers that a request carries, not that each is checked',
    readings: { refused: 'refused', accepted: 'accepted: the credential alone says who calls' },
    foundBy: 'the same change to reads that carry the header',
    decides: 'the auth specs of wrong headers',
    key: 'HEADERS_NOT_CHECKED',
    of: 'header',
    fact: { question: 'wrong-header', readings: acceptance },
  },
  headerOfAnother: {
    question: "whether a token is refused beside another user's id",
    openIn: 'part 5: validation of the token is not shown',
    readings: { refused: 'a token is for one user', accepted: 'the id beside a token is not compared with it' },
    foundBy: 'the same change to reads that carry the header',
    decides: "the auth specs of another user's id",
    key: 'HEADERS_NOT_CHECKED',
    of: 'header',
    fact: { question: 'token-user', readings: { accepted: /^not tied/, refused: /^tied/ } },
  },
  changeAgain: {
    question: 'what comes of a block or a love of what is blocked or loved already',
    openIn: 'part 3: states and transitions are not shown',
    readings: { accepted: 'accepted', refused: 'refused' },
    foundBy: 'nothing depends on it',
    decides: '',
    fact: { question: 'repeat', readings: acceptance },
  },
  bodyForm: {
    question: 'how a response holds what it has to say',
    openIn: 'part 4, rule 8: response bodies are not shown',
    readings: { bare: 'as it is', envelope: 'in an envelope', nothing: 'changes are answered without a body' },
    foundBy: 'nothing depends on it: ids are looked for anywhere in a response',
    decides: '',
  },
  idForm: {
    question: 'how a response writes an id',
    openIn: 'part 4, rule 8: response bodies are not shown',
    readings: { bare: 'alone', address: 'as the end of an address', key: 'as the key of a map' },
    foundBy: 'nothing depends on it: an id is found as a whole token',
    decides: '',
  },
  successStatus: {
    question: 'with which status a change succeeds',
    openIn: 'part 4, rule 8: success status codes are not shown',
    readings: { ok: '200', created: '201', accepted: '202', empty: '204' },
    foundBy: 'nothing depends on it: success is a 2xx',
    decides: '',
    fact: { question: 'success-status', readings: { ok: /^200/, created: /^201/, accepted: /^202/, empty: /^204/ } },
  },
  successRule: {
    question: 'what tells success',
    openIn: 'part 4, rule 8: success status codes are not shown',
    readings: { status: 'the status', body: 'a value in the body; the status is always 200' },
    foundBy: 'it can only be written down',
    decides: 'every expectation of success or refusal',
    key: 'SUCCESS_WHEN',
  },
  errorForm: {
    question: 'what a refusal looks like',
    openIn: 'part 7: the error body is not shown',
    readings: { json: 'JSON', problem: 'application/problem+json', text: 'text', page: 'a page', nothing: 'no body' },
    foundBy: 'nothing depends on it: only what says JSON must be JSON',
    decides: '',
  },
  listLag: {
    question: 'how long a list may lag behind a change',
    openIn: 'parts 3 and 8: neither states nor limits are shown',
    readings: { none: 'not at all', some: 'as long as CONSISTENCY_TIMEOUT_MS' },
    foundBy: 'nothing depends on it: lists are read until they are right, for that long',
    decides: '',
    key: 'CONSISTENCY_TIMEOUT_MS',
  },
  unknownFields: {
    question: 'whether fields that the specification does not name are refused',
    openIn: 'part 2: which fields are required is not shown',
    readings: { refused: 'refused', accepted: 'accepted' },
    foundBy: 'nothing depends on it',
    decides: '',
    fact: { question: 'unknown-field', readings: acceptance },
  },
} as const satisfies Record<string, QuestionEntry>;

export type QuestionId = keyof typeof openQuestions;
export type OpenQuestion = QuestionEntry;

export const questionIds = Object.keys(openQuestions) as QuestionId[];
