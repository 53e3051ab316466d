import type { CallableId } from '../service/index.ts';
import type { Asker } from './asker/asker.ts';
import { among, changed, once, outcomes, type Question, requestWords } from './question.ts';

const inItsForm = ({ requests }: Asker, known: unknown) => requests.data.idLike(String(known ?? ''));

const naming = (field: string, unknown: (asker: Asker, known: unknown) => unknown = inItsForm) =>
  changed((body, asker) => ({ ...body, [field]: unknown(asker, body[field]) }));

/** Makes a question about an id that doesn't exist. `another`: experiments for operations whose arguments aren't a request body. */
const unknown = (
  what: string,
  ids: readonly CallableId[],
  ask: Question['ask'],
  another: Partial<Record<CallableId, Question['ask']>> = {},
): Question => {
  const nobodys = `an invented ${what}`;
  return {
    id: `unknown-${what}`,
    of: once(`unknown-${what}`, among(...ids)),
    openIn: 'part 7: errors are not shown',
    ...outcomes,
    broken: requestWords(() => nobodys),
    experiment: `a valid request, and one that names ${nobodys}`,
    ...(what === 'user' ? { askedByRuns: true } : {}),
    ask: (asker) => (another[asker.id] ?? ask)(asker),
    hold: 'again',
  };
};

export const unknownThings: readonly Question[] = [
  unknown('user', ['block', 'unblock', 'readProfile'], naming('friendId'), {
    readProfile: (asker) => asker.sendInvalid({ userId: inItsForm(asker, asker.requests.session.caller.userId) }),
  }),
  unknown('item', ['deleteItem'], (asker) =>
    asker.sendInvalid({ id: inItsForm(asker, asker.requests.environment.data.storedItemIds[0]) }),
  ),
  unknown('story', ['love', 'unlove', 'report'], naming('storyId')),
  unknown(
    'code',
    ['report'],
    naming('reports', () => ['SEXTANT_INVENTED']),
  ),
];
