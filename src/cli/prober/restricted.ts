import type { Environment } from '../../config/index.ts';

/**
 * The environment as a prober uses it whose state would be lost: without a provisioner, a change that a killed run leaves behind would stay
 * in the service for good, so only `read` is allowed.
 */
export function restricted(
  environment: Environment,
  stateProblem: string | undefined,
): { readonly environment: Environment; readonly restriction?: string } {
  const { allowedEffects, provisionUrl, name } = environment;
  const isHarmless = provisionUrl !== undefined || [...allowedEffects].every((effect) => effect === 'read');
  if (stateProblem === undefined || isHarmless) return { environment };
  return {
    environment: { ...environment, allowedEffects: new Set(['read']) },
    restriction: `${name}: only read requests are sent, because the undo journal would not last: ${stateProblem}. Mount a volume there, or name another folder in SEXTANT_STATE.`,
  };
}
