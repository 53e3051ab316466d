import { ok } from '../handler-request.ts';
import { ofKind } from './kind.ts';
import { bodied, keeping, refusing } from './tamper.ts';

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
