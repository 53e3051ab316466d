interface Category {
  readonly id: string;
  readonly name: string;
  readonly matchers: { readonly statuses?: ('failed' | 'broken' | 'skipped')[]; readonly message?: RegExp };
  readonly groupByMessage: boolean;
}

/** A category of the tests whose error bears one of these names, which are the verdicts of `ExpectationError`. */
function named(id: string, name: string, ...errors: string[]): Category {
  const message = new RegExp(`^(Error: )?(${errors.join('|')}): `);
  return { id, name, matchers: { statuses: ['failed', 'broken'], message }, groupByMessage: false };
}

/** Categories by verdict; the first that matches counts. */
export const categories: Category[] = [
  named('unreachable', 'Unreachable: no usable answer', 'Unreachable'),
  named('refused', 'Refused: our own credentials were not accepted', 'Refused'),
  named('drifted', 'Drifted: not what was learned of this environment', 'Drifted'),
  named('failed', 'Failed: not what the document says or HTTP expects', 'Failed'),
  named('unknown', 'Unknown: the suite could not judge', 'Unknown', 'ProvisionFailed'),
  named('unjudged', 'Unjudged: a call that nobody judged proves nothing', 'UnjudgedCall'),
  named(
    'suite-fault',
    'Fault of the suite or its configuration',
    'UsageError',
    'NotAllowed',
    'MissingCredential',
    'TagError',
    'ConfigurationError',
  ),
  {
    id: 'not-allowed',
    name: 'Skipped: the environment does not allow it',
    matchers: { statuses: ['skipped'], message: /not allowed in/ },
    groupByMessage: true,
  },
  {
    id: 'no-data',
    name: 'Skipped: the environment lacks data for it',
    matchers: { statuses: ['skipped'], message: /needs / },
    groupByMessage: true,
  },
];
