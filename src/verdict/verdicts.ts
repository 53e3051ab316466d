import { exitCodes } from './exit-codes.ts';

export type Health = 'up' | 'degraded' | 'down' | 'unknown';

/** Everything that follows from a verdict. Code reads these properties instead of comparing names of verdicts. */
export interface VerdictFacts {
  /** One sentence of Markdown, for docs/concepts.md. */
  readonly meaning: string;
  /** Rank of the verdict. Several scenarios together have the verdict with the highest rank among them. */
  readonly severity: number;
  /** Exit code of `check`. */
  readonly exitCode: (typeof exitCodes)['held' | 'fellShort' | 'unjudged'];
  /** The health for the monitor; `unknown` counts neither for nor against the service. */
  readonly health: Health;
  /** In what the service fell short: in its behaviour, in accepting our credentials, or in its connections. */
  readonly fellShort: 'behaviour' | 'credentials' | 'connection' | 'nothing';
  readonly ran: boolean;
  /** True if a run with this verdict is not green, because the service fell short or could not be judged. */
  readonly isRed: boolean;
  /** Whether a scenario with this verdict detected an injected fault. */
  readonly detects: boolean;
  readonly colour: 'green' | 'yellow' | 'red' | 'magenta' | 'cyan' | 'dim';
}

type Stated = Pick<VerdictFacts, 'meaning' | 'health' | 'colour'> & Partial<Pick<VerdictFacts, 'fellShort'>>;

/** All verdicts, the gravest last. */
const table = {
  skipped: {
    meaning:
      'not allowed in this environment, test data is missing, or `--deadline` left no time; the reason says which',
    health: 'unknown',
    colour: 'dim',
  },
  passed: { meaning: 'every expectation held', health: 'up', colour: 'green' },
  slow: {
    meaning: 'every expectation held, but an operation took longer than `SLOW_AFTER_MS`',
    health: 'degraded',
    colour: 'yellow',
  },
  unknown: {
    meaning:
      'the suite could not judge: throttled (429), a challenge of something in front of the service, a response above `MAX_ANSWER_BYTES` or `MAX_HEADER_BYTES`, or a problem on our side',
    health: 'unknown',
    colour: 'cyan',
  },
  drifted: {
    meaning:
      'something that was learned of this environment no longer holds; what breaks no consumer only makes it degraded',
    health: 'down',
    fellShort: 'behaviour',
    colour: 'yellow',
  },
  refused: {
    meaning:
      '401 or 403 where success was expected: our credentials were not accepted, or something in front of the service denied the request',
    health: 'down',
    fellShort: 'credentials',
    colour: 'magenta',
  },
  unreachable: {
    meaning:
      "no usable response: DNS, connection, TLS, deadline exceeded, connection reset, or a response that isn't HTTP",
    health: 'down',
    fellShort: 'connection',
    colour: 'red',
  },
  failed: {
    meaning:
      "a documented, specified or assumed expectation broke: wrong status, invalid JSON, a list that doesn't mention a user it must mention",
    health: 'down',
    fellShort: 'behaviour',
    colour: 'red',
  },
} as const satisfies Record<string, Stated>;

export type Verdict = keyof typeof table;

export const gravestFirst: readonly Verdict[] = (Object.keys(table) as Verdict[]).reverse();

export const verdicts = Object.fromEntries(
  Object.entries<Stated>(table).map(([name, stated], severity) => {
    const { health, fellShort = 'nothing' } = stated;
    const exitCode = exitCodes[fellShort !== 'nothing' ? 'fellShort' : health === 'unknown' ? 'unjudged' : 'held'];
    const detects = health === 'down' || health === 'degraded';
    const ran = name !== 'skipped';
    return [name, { ...stated, severity, exitCode, fellShort, detects, ran, isRed: ran && exitCode !== 0 }];
  }),
) as Readonly<Record<Verdict, VerdictFacts>>;
