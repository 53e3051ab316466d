import { curlLine, type Exchange } from '../../client/index.ts';
import { counted } from '../../config/index.ts';

/** The environment variable that replays one plan: `<seed>:<path>`, printed by a failure. */
const WALK_VARIABLE = 'SEXTANT_WALK';

/** The plan to replay, if any. */
export function replayOf(
  environment: Readonly<Record<string, string | undefined>>,
): { readonly seed: number; readonly path: string } | undefined {
  const [, seed, path] = /^(-?\d+):([\d:]+)$/.exec(environment[WALK_VARIABLE]?.trim() ?? '') ?? [];
  return seed && path ? { seed: Number(seed), path } : undefined;
}

interface Shrunk {
  readonly seed: number;
  readonly counterexamplePath: string | null;
  readonly numShrinks: number;
}

/** The counterexample as text, with the command to replay it. */
export function counterexample(steps: readonly string[], { seed, counterexamplePath, numShrinks }: Shrunk): string {
  return [
    `Shortest counterexample (shrunk ${counted(numShrinks, 'time')}):`,
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
    `Replay it with ${WALK_VARIABLE}=${seed}:${counterexamplePath ?? ''}`,
  ].join('\n');
}

/** The calls of a counterexample as a shell script, with credentials masked. */
export function script(exchanges: readonly Exchange[]): string {
  const calls = exchanges.flatMap(({ request, response, failure, operation }) => [
    `# ${operation} → ${response ? response.status : (failure?.reason ?? 'no response')}`,
    curlLine(request),
  ]);
  return ['#!/bin/sh', '# Put your own credentials in place of ***.', ...calls].join('\n');
}
