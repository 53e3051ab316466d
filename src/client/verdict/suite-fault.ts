import { type Category, SuiteError } from './category.ts';

/** A mistake of the suite, found before anything was sent. It says nothing about the service. */
export class SuiteFault extends SuiteError {
  readonly category: Category = 'suite-fault';
  /** The component other than the service that failed and prevented the call. */
  readonly outside?: 'provisioner';
}
