import { ApiResponse, inside, type Session } from '../call/index.ts';
import { type Exchange, leaves } from '../http/index.ts';
import { type Asker, Undecided } from './asker/asker.ts';
import { among, type Hold, once, type Question } from './question.ts';

/**
 * The parts of a response that may show whether a love exists: the status, and each number, `true` or `false` with its JSON Pointer. Other
 * values are left out, because they may change for any reason, such as another server.
 */
type Marks = ReadonlyMap<string, string>;

const STATUS = 'the status';
/** The answer of a run that checks a fact, if no response shows any longer whether a love exists. */
export const NOTHING_SHOWS = 'nothing shows it';

const LOOK = /^the (caller|friend)'s next response to (love|unlove) shows it at (the status|\/.*)$/;

/** The parts of an answer: the user and the operation whose response shows the love, and where (`the status` or a JSON Pointer). */
export function lookIn(answer: string) {
  const [, by, does, place] = LOOK.exec(answer) ?? [];
  return place ? { by: by as 'caller' | 'friend', does: does as 'love' | 'unlove', place } : undefined;
}

export function marksOf(exchange: Exchange, isRefusal: boolean): Marks {
  const { status, json } = inside(new ApiResponse(exchange, new Set()));
  const found = [...leaves(json)].filter(({ text, isKey }) => !isKey && /^(true|false|\d{1,9})$/.test(text));
  return new Map([
    [STATUS, `${status}${isRefusal ? ' (refused)' : ''}`],
    ...found.map(({ path, text }) => [`/${path.join('/')}`, text] as const),
  ]);
}

interface Contrast {
  /** The compared responses, for example `the caller's next response to unlove`. */
  readonly look: string;
  readonly made: readonly Marks[];
  readonly undone: readonly Marks[];
}

/**
 * Compares responses to the caller's loves and unloves. If two servers take turns, each gets every request once: the second round begins
 * with the other server, because a round has five requests.
 */
async function ownContrasts(asker: Asker, args: unknown): Promise<Contrast[]> {
  const rounds: Marks[][] = [];
  for (let time = 0; time < 2; time++) {
    const marks: Marks[] = [];
    for (const id of ['love', 'love', 'unlove', 'unlove'] as const) marks.push(await markOf(asker, id, args));
    await asker.requests.send('unlove', args);
    rounds.push(marks);
  }
  const at = (place: number) => rounds.map((marks) => marks[place] as Marks);
  return [
    { look: "the caller's next response to unlove", made: at(2), undone: at(3) },
    { look: "the caller's next response to love", made: at(1), undone: at(0) },
  ];
}

/** Compares responses to the friend's love of the same story with and without the caller's love. The friend's love is undone each time. */
async function friendContrast(asker: Asker, args: unknown, friend: Session): Promise<Contrast> {
  const [made, undone]: Marks[][] = [[], []];
  const look = async () => {
    const marks = await markOf(asker, 'love', args, friend);
    await asker.requests.send('unlove', args, { session: friend });
    return marks;
  };
  for (let time = 0; time < 2; time++) {
    undone?.push(await look());
    await asker.requests.send('love', args);
    made?.push(await look());
    await asker.requests.send('unlove', args);
  }
  return { look: "the friend's next response to love", made: made ?? [], undone: undone ?? [] };
}

async function markOf({ requests }: Asker, id: 'love' | 'unlove', args: unknown, session = requests.session) {
  const exchange = await requests.send(id, args, { session });
  const outcome = requests.outcome(id, exchange);
  if (outcome.kind === 'unclear') throw new Undecided(outcome.why, [exchange]);
  return marksOf(exchange, outcome.kind === 'refused');
}

/**
 * The places in the responses that show the love: they have one value in all responses with the love, and another value in all without it.
 */
function placesOf({ made, undone }: Contrast): string[] {
  const one = (all: readonly Marks[], place: string) => {
    const [first, ...others] = all.map((marks) => marks.get(place));
    return others.every((other) => other === first) ? first : undefined;
  };
  return [...(made[0]?.keys() ?? [])].filter((place) => {
    const [there, gone] = [one(made, place), one(undone, place)];
    return there !== undefined && gone !== undefined && there !== gone;
  });
}

function isAtRest({ made, undone }: Contrast): boolean {
  return [made, undone].every(([one, other]) => [...(one ?? [])].every(([place, text]) => other?.get(place) === text));
}

/** Repeats the experiment, but only with the user whom the answer names. */
const holdShown: Hold = async (asker, answer) => {
  const args = await asker.valid();
  const friend = lookIn(answer)?.by === 'friend' ? await asker.requests.friendSession() : undefined;
  const contrasts = friend ? [await friendContrast(asker, args, friend)] : await ownContrasts(asker, args);
  const answers = contrasts.flatMap((each) => placesOf(each).map((place) => `${each.look} shows it at ${place}`));
  if (answers.includes(answer)) return { answer, seen: seenBy(asker) };
  if (!contrasts.every(isAtRest)) throw new Undecided(DIFFERENT, seenBy(asker));
  return { answer: answers[0] ?? NOTHING_SHOWS, seen: seenBy(asker) };
};

const DIFFERENT = 'its responses differ each time, so they show nothing';

/** The evidence of the answer: the last love that was sent as a control. */
const seenBy = ({ lastControl }: Asker) => [lastControl()?.exchange].filter((exchange) => exchange !== undefined);

/**
 * No list shows a user's loves, so only the responses to the next requests may show whether a love exists. Some services refuse a second
 * love, and some return the number of loves.
 */
export const loveShown: Question = {
  id: 'love-shown',
  of: once('love-shown', among('love')),
  openIn: 'part 3: states and transitions are not shown, nor what lists loves',
  answers: "which response shows it, e.g. the friend's next response to love shows it at /loves",
  form: LOOK,
  broken: ({ was, now }) => {
    const place = (answer: string) => / shows it at (.+)$/.exec(answer)?.[1];
    return place(now)
      ? [`shows at ${place(now)}`, `it showed at ${place(was)}`]
      : [`no longer shows at ${place(was)}`, 'it did'];
  },
  experiment: "loves and unloves of one story by the caller, with the friend's in between",
  askedByRuns: true,
  ask: async (asker) => {
    const args = await asker.valid();
    const contrasts = await ownContrasts(asker, args);
    const isShown = (each: Contrast) => placesOf(each).length > 0;
    const friend = contrasts.some(isShown) ? undefined : await asker.requests.friendSession();
    if (friend) contrasts.push(await friendContrast(asker, args, friend));
    const found = contrasts.find(isShown);
    const seen = seenBy(asker);
    if (found) return { answer: `${found.look} shows it at ${placesOf(found)[0]}`, seen };
    if (!contrasts.every(isAtRest)) throw new Undecided(DIFFERENT, seen);
    throw new Undecided('no response to a love or an unlove shows whether it was done', seen);
  },
  hold: holdShown,
};
