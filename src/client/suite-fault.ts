import { type Category, SuiteError } from './verdict/category.ts';

/** A call that the suite itself got wrong, found before anything was sent. It says nothing about the service. */
export class SuiteFault extends SuiteError {
  readonly category: Category = 'suite-fault';
  /** What beside the service failed, so that nothing could be tried. */
  readonly outside?: 'provisioner';
}
