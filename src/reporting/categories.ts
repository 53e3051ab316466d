interface Category {
  readonly id: string;
  readonly name: string;
  readonly matchers: { readonly statuses?: ('failed' | 'broken' | 'skipped')[]; readonly message?: RegExp };
  readonly groupByMessage: boolean;
}

/** A category of the failed tests whose error begins with one of these: the verdict's name, or a bare claim's grade. */
function beginning(id: string, name: string, ...starts: string[]): Category {
  const message = new RegExp(`^(Error: )?(${starts.join('|')}): `);
  return { id, name, matchers: { statuses: ['failed', 'broken'], message }, groupByMessage: false };
}

/** Categories by verdict; the first that matches counts. */
export const categories: Category[] = [
  beginning('unreachable', 'Unreachable: no usable answer', 'Unreachable'),
  beginning('refused', 'Refused: our own credentials were not accepted', 'Refused'),
  beginning('drifted', 'Drifted: not what was learned of this environment', 'Drifted', 'learned'),
  beginning('failed', 'Failed: not what the document says or HTTP expects', 'Failed', 'documented', 'assumed'),
  beginning('unknown', 'Unknown: the suite could not judge', 'Unknown', 'ProvisionFailed'),
  beginning('unjudged', 'Unjudged: a call that nobody judged proves nothing', 'UnjudgedCall'),
  beginning(
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
