import type { CallArguments } from '../../src/spec/index.ts';
import { type Handler, ok } from '../handler-request.ts';

export const evaluate: Handler<CallArguments<'evaluate'>> = ({ state, args }) => {
  const flag = state.flags.get(args.key);
  const isActive = flag !== undefined && (flag.platform === null || flag.platform === args.contextData.platform);
  return ok({ key: args.key, active: isActive, value: isActive ? flag.value : args.default });
};
