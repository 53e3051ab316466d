import { SuiteError } from './category.ts';

/**
 * Nothing was proved: a refusal stands beside no acceptance, or what the suite made up is refused. The scenario is neither
 * green nor red; it is skipped with this reason, and counted apart.
 */
export class Unproven extends SuiteError {
  override readonly name = 'Unproven';
  readonly category = 'unproven';

  constructor(why: string) {
    super(`unproven: ${why}`);
  }
}
