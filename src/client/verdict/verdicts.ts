export type Health = 'up' | 'degraded' | 'down' | 'unknown';

/** Everything that follows from a verdict; code that distinguishes verdicts derives it from here. */
export interface VerdictFacts {
  /** One sentence of Markdown, for docs/check.md. */
  readonly meaning: string;
  /** The verdict on many scenarios is the one with the highest number; numbers are unique. */
  readonly severity: number;
  /** Exit code of `check`: 0 passed or slow · 1 the service fell short · 3 could not judge. (2 is usage or configuration.) */
  readonly exitCode: 0 | 1 | 3;
  /** The health for the monitor; `unknown` counts neither for nor against the service. */
  readonly health: Health;
  /** Where the service fell short: its behaviour, accepting our credentials, or the connection. */
  readonly fellShort: 'behaviour' | 'credentials' | 'connection' | 'nothing';
  readonly ran: boolean;
  /** Whether a scenario with this verdict detected an injected fault. */
  readonly detects: boolean;
  readonly colour: 'green' | 'yellow' | 'red' | 'magenta' | 'cyan' | 'dim';
  /** Title of the category in the report; `null` if a test with this verdict doesn't fail. */
  readonly category: string | null;
}

const table = {
  passed: {
    meaning: 'every expectation held',
    severity: 1,
    health: 'up',
    fellShort: 'nothing',
    ran: true,
    colour: 'green',
    category: null,
  },
  slow: {
    meaning: 'every expectation held, but an operation took longer than `SLOW_AFTER_MS`',
    severity: 2,
    health: 'degraded',
    fellShort: 'nothing',
    ran: true,
    colour: 'yellow',
    category: null,
  },
  drifted: {
    meaning: 'an expectation learned from this environment broke',
    severity: 4,
    health: 'degraded',
    fellShort: 'behaviour',
    ran: true,
    colour: 'yellow',
    category: 'Drifted: differs from what was learned of this environment',
  },
  failed: {
    meaning:
      "a documented, specified or assumed expectation broke: wrong status, invalid JSON, a list that doesn't mention a user it must mention",
    severity: 7,
    health: 'down',
    fellShort: 'behaviour',
    ran: true,
    colour: 'red',
    category: 'Failed: violates the specification or HTTP common sense',
  },
  refused: {
    meaning: '401 or 403 where success was expected: our credentials were not accepted',
    severity: 5,
    health: 'down',
    fellShort: 'credentials',
    ran: true,
    colour: 'magenta',
    category: 'Refused: our credentials were not accepted',
  },
  unreachable: {
    meaning:
      "no usable response: DNS, connection, TLS, deadline exceeded, connection reset, or a response that isn't HTTP",
    severity: 6,
    health: 'down',
    fellShort: 'connection',
    ran: true,
    colour: 'red',
    category: 'Unreachable: no usable response',
  },
  unknown: {
    meaning:
      'the suite could not judge: throttled (429), a response above `MAX_ANSWER_BYTES` or `MAX_HEADER_BYTES`, or a problem on our side',
    severity: 3,
    health: 'unknown',
    fellShort: 'nothing',
    ran: true,
    colour: 'cyan',
    category: 'Unknown: the suite could not judge',
  },
  skipped: {
    meaning:
      'not allowed in this environment, test data is missing, or `--deadline` left no time; the reason says which',
    severity: 0,
    health: 'unknown',
    fellShort: 'nothing',
    ran: false,
    colour: 'dim',
    category: null,
  },
} as const satisfies Record<string, Omit<VerdictFacts, 'exitCode' | 'detects'>>;

export type Verdict = keyof typeof table;

export const verdicts = Object.fromEntries(
  Object.entries(table).map(([name, facts]) => {
    const { fellShort, health } = facts;
    const exitCode = fellShort !== 'nothing' ? 1 : health === 'unknown' ? 3 : 0;
    return [name, { ...facts, exitCode, detects: health === 'down' || health === 'degraded' }];
  }),
) as Readonly<Record<Verdict, VerdictFacts>>;
