import { ok } from '../handler-request.ts';
import { Refusal } from '../refusal.ts';
import { handle, ofKind } from './kind.ts';
import { bodied } from './tamper.ts';

const fallback = 'part 4, rule 5: default is the fallback value';
const checks = 'part 4, rule 5: row 13 checks whether a flag is active for the key and the context';

type Evaluation = { readonly key: string; readonly active: boolean; readonly value: string };

const evaluated = (change: (evaluation: Evaluation) => unknown) => bodied((body) => change(body as Evaluation));

export const featureFaults = ofKind('state', [
  {
    name: 'evaluate-ignores-the-default',
    operation: 'evaluate',
    grade: 'documented',
    breaks: fallback,
    handle: evaluated((found) => (found.active ? found : { ...found, value: 'off' })),
  },
  {
    name: 'evaluate-answers-null-for-the-default',
    operation: 'evaluate',
    grade: 'documented',
    breaks: fallback,
    handle: evaluated((found) => (found.active ? found : { ...found, value: null })),
  },
  {
    name: 'evaluate-drops-the-value',
    operation: 'evaluate',
    grade: 'documented',
    breaks: fallback,
    handle: evaluated(({ value: _, ...rest }) => rest),
  },
  {
    name: 'evaluate-cuts-the-default',
    hiddenBy: ['flagDefault'],
    operation: 'evaluate',
    grade: 'documented',
    breaks: fallback,
    handle: evaluated((found) => ({ ...found, value: found.value.slice(0, 16) })),
  },
  {
    name: 'evaluate-makes-a-boolean-of-the-default',
    operation: 'evaluate',
    grade: 'documented',
    breaks: 'part 2, feature evaluation: default is a string',
    handle: evaluated((found) => ({ ...found, value: Boolean(found.value) })),
  },
  {
    name: 'evaluate-keeps-the-first-default',
    operation: 'evaluate',
    grade: 'documented',
    breaks: fallback,
    handle: handle<'evaluate'>((original) => {
      const first = new Map<string, string>();
      return (visit) => {
        const { userId, args } = visit;
        const kept = first.get(userId) ?? args.default;
        first.set(userId, kept);
        return original({ ...visit, args: { ...args, default: kept } });
      };
    }),
  },
  {
    name: 'evaluate-keeps-the-first-default-of-a-key',
    operation: 'evaluate',
    grade: 'documented',
    breaks: fallback,
    handle: handle<'evaluate'>((original) => {
      const first = new Map<string, string>();
      return (visit) => {
        const { args } = visit;
        const kept = first.get(args.key) ?? args.default;
        first.set(args.key, kept);
        return original({ ...visit, args: { ...args, default: kept } });
      };
    }),
  },
  {
    name: 'evaluate-gives-the-key-for-the-default',
    operation: 'evaluate',
    grade: 'documented',
    breaks: fallback,
    handle: handle<'evaluate'>(
      (original) => (visit) => original({ ...visit, args: { ...visit.args, default: visit.args.key } }),
    ),
  },
  {
    name: 'evaluate-refuses-unknown-keys',
    operation: 'evaluate',
    grade: 'documented',
    breaks: fallback,
    handle: handle<'evaluate'>((original) => (visit) => {
      if (!visit.state.flags.get(visit.args.key)) throw new Refusal(404, 'unknown_flag', 'there is no such flag');
      return original(visit);
    }),
  },
  {
    name: 'evaluate-refuses-known-keys',
    operation: 'evaluate',
    grade: 'documented',
    breaks: checks,
    handle: handle<'evaluate'>((original) => (visit) => {
      if (visit.state.flags.get(visit.args.key)) throw new Refusal(409, 'archived', 'this flag is archived');
      return original(visit);
    }),
  },
  {
    name: 'evaluate-takes-every-flag-for-inactive',
    operation: 'evaluate',
    grade: 'documented',
    seenIn: 'open-feature/js-sdk-contrib#1052',
    breaks: checks,
    handle: handle<'evaluate'>(
      () =>
        ({ args }) =>
          ok({ key: args.key, active: false, value: args.default }),
    ),
  },
]);
