import { Refusal } from '../refusal.ts';
import { ofKind } from './kind.ts';
import { refusing, turningAway } from './tamper.ts';

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
