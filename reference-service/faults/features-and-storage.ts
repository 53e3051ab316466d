import { ok } from '../handler-request.ts';
import { Refusal } from '../refusal.ts';
import { ofKind } from './kind.ts';
import { bodied, keeping, refusing, turningAway } from './tamper.ts';

const fallback = 'part 4, rule 5: default is the fallback value';
const checks = 'part 4, rule 5: row 13 checks whether a flag is active for the key and the context';

type Evaluation = { readonly key: string; readonly active: boolean; readonly value: string };

const evaluated = bodied<Evaluation>;

export const featureFaults = ofKind('state', fallback, {
  'evaluate-ignores-the-default': evaluated((found) => (found.active ? found : { ...found, value: 'off' })),
  'evaluate-answers-null-for-the-default': evaluated((found) => (found.active ? found : { ...found, value: null })),
  'evaluate-drops-the-value': evaluated(({ value: _, ...rest }) => rest),
  'evaluate-cuts-the-default': {
    hiddenBy: ['flagDefault'],
    handle: evaluated((found) => ({ ...found, value: found.value.slice(0, 16) })),
  },
  'evaluate-escapes-the-default': {
    hiddenBy: ['flagDefault'],
    handle: evaluated((found) => ({ ...found, value: found.value.replaceAll('&', '&amp;') })),
  },
  'evaluate-makes-a-boolean-of-the-default': {
    breaks: 'part 2, feature evaluation: default is a string',
    handle: evaluated((found) => ({ ...found, value: Boolean(found.value) })),
  },
  'evaluate-keeps-the-first-default': keeping('default', ({ userId }) => userId),
  'evaluate-keeps-the-first-default-of-a-key': keeping('default', ({ args }) => args.key),
  'evaluate-gives-the-key-for-the-default': (original) => (visit) =>
    original({ ...visit, args: { ...visit.args, default: visit.args.key } }),
  'evaluate-refuses-unknown-keys': refusing(({ state, args }) => !state.flags.find({ key: args.key }), 404),
  'evaluate-refuses-known-keys': {
    breaks: checks,
    handle: refusing(({ state, args }) => state.flags.find({ key: args.key }) !== undefined, 409),
  },
  'evaluate-takes-every-flag-for-inactive': {
    seenIn: 'open-feature/js-sdk-contrib#1052',
    breaks: checks,
    handle:
      () =>
      ({ args }) =>
        ok({ key: args.key, active: false, value: args.default }),
  },
});

const gone = [404, 'unknown_item', 'there is no such item'] as const;

export const storageFaults = ofKind('state', 'part 1 and row 14: a stored item is deleted by its id', {
  'deleteItem-finds-nothing': refusing(() => true, ...gone),
  'deleteItem-deletes-all-of-a-user': (original) => {
    const served = new Set<string>();
    return (visit) => {
      if (served.has(visit.userId)) throw new Refusal(...gone);
      const response = original(visit);
      served.add(visit.userId);
      return response;
    };
  },
  'deleteItem-deletes-those-of-others': {
    grade: 'assumed',
    breaks: 'row 14 and part 5: mm-user-id is the acting user; whose items a user may delete is not shown',
    handle: (original) => (visit) =>
      original({ ...visit, userId: visit.state.items.find({ itemId: visit.args.id })?.owner ?? visit.userId }),
    breaksFact: 'deleteItem foreign-item: refused with 404',
  },
  'deleteItem-wants-no-accept-header': {
    breaks: 'row 14: the request carries Accept: application/json',
    arrive: turningAway(({ headers }) => headers.accept === 'application/json', 406),
  },
  'deleteItem-wants-a-number': {
    breaks: 'row 14: the id of the item is a string',
    handle: refusing(({ args }) => !/^\d+$/.test(args.id), 400),
  },
  'deleteItem-crashes-on-what-is-gone': {
    breaks: 'common sense: an unknown id is the caller’s mistake, a 4xx',
    respond: () => (response) => (response.status === 404 ? { ...response, status: 500 } : response),
  },
});
