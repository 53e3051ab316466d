import { ConfigurationError, type Environment, loadEnvironment } from '../../config/index.ts';
import type { Served } from '../../prober/index.ts';
import { assertConsent, consentTo } from '../../scenario/index.ts';

export interface AdmitOptions {
  /** `--yes`. */
  readonly yes: boolean;
  /** Whether a terminal may be asked for consent, which keeps everything else waiting. */
  readonly mayAsk: boolean;
  /** Whether consent can be remembered. */
  readonly isKept: boolean;
  /** The environment as it is used: moved, or restricted. */
  readonly asUsed: (loaded: Environment) => { readonly environment: Environment; readonly restriction?: string };
}

/** Loads an environment and gets consent to runs against it; whatever is wrong with it is in the result. */
export async function admit(name: string, { yes, mayAsk, isKept, asUsed }: AdmitOptions): Promise<Served> {
  let used: ReturnType<typeof asUsed>;
  try {
    used = asUsed(loadEnvironment(name));
  } catch (error) {
    return { state: 'broken', reason: reasonOf(error) };
  }
  try {
    if (yes || mayAsk) await consentTo(used.environment, { yes, isKept });
    else assertConsent(used.environment);
    return { state: 'ready', ...used };
  } catch (error) {
    return { state: 'refused', reason: reasonOf(error) };
  }
}

/** Anything else is a bug of ours. */
function reasonOf(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  throw error;
}
