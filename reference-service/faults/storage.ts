import { Refusal } from '../refusal.ts';
import { handle, ofKind } from './kind.ts';

const deletes = 'part 1 and row 14: a stored item is deleted by its id';

export const storageFaults = ofKind('state', [
  {
    name: 'deleteItem-finds-nothing',
    operation: 'deleteItem',
    grade: 'documented',
    breaks: deletes,
    handle: () => () => {
      throw new Refusal(404, 'unknown_item', 'there is no such item');
    },
  },
  {
    name: 'deleteItem-deletes-all-of-a-user',
    operation: 'deleteItem',
    grade: 'documented',
    breaks: deletes,
    handle: handle<'deleteItem'>((original) => {
      const served = new Set<string>();
      return (visit) => {
        if (served.has(visit.userId)) throw new Refusal(404, 'unknown_item', 'there is no such item');
        const response = original(visit);
        served.add(visit.userId);
        return response;
      };
    }),
  },
  {
    name: 'deleteItem-wants-no-accept-header',
    operation: 'deleteItem',
    grade: 'documented',
    breaks: 'row 14: the request carries Accept: application/json',
    arrive:
      () =>
      ({ headers }) => {
        if (headers.accept === 'application/json') throw new Refusal(406, 'not_acceptable', 'cannot give that');
      },
  },
  {
    name: 'deleteItem-wants-a-number',
    operation: 'deleteItem',
    grade: 'documented',
    breaks: 'row 14: the id of the item is a string',
    handle: handle<'deleteItem'>((original) => (visit) => {
      if (!/^\d+$/.test(visit.args.id)) throw new Refusal(400, 'invalid_id', 'id must be a number');
      return original(visit);
    }),
  },
  {
    name: 'deleteItem-crashes-on-what-is-gone',
    operation: 'deleteItem',
    grade: 'assumed',
    breaks: 'common sense: an unknown id is the caller’s mistake, a 4xx',
    respond: () => (response) => (response.status === 404 ? { ...response, status: 500 } : response),
  },
]);
