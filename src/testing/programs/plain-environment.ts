/**
 * The variables of this process for a program that a test starts: without the outer test runner's, which would keep a nested
 * one from running, and without a pipeline's and a terminal's wishes for colours, which would stand between what a test looks for.
 */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, CI: _pipeline, FORCE_COLOR: _colour, ...inherited } = process.env;
  return { ...inherited, NO_COLOR: '1' };
}
