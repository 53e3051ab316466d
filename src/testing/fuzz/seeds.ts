const fact = '{"operation":"love","question":"repeat","answer":"x","observedAt":"","evidence":[]}';
const answers = (answer: string) => `[{"operation":"love","answers":{"200":${answer}}}]`;
const survey = (facts: string, rest = '[]') => `{"environment":"my","facts":${facts},"answers":${rest}}`;

/** Inputs that once ended in something else than one clear error; they are tried first, at every run. */
export const seeds = {
  environment: [
    // Accepted without a word.
    '__proto__=x\n',
    'ACCESS_TOKEN="          "\n',
    'RUN_ID_HEADER=transfer-encoding\n',
    // Shown with what stands before the @, or as a terminal would obey it.
    'FRIEND_URL=ftp://me:password@a.test/\n',
    'FRIEND_URL=https://a.test/<\u001b]0;x\u0007>\n',
    // UTF-16, as PowerShell writes it, and no text at all: nothing was read.
    '\ufffd\ufffdF\u0000R\u0000',
  ],
  settings: ['constructor=x\n', '__proto__=x\n', 'WEBHOOK_URL=https://me:password@127.0.0.1:9/\n'],
  imported: ['{"values":[1,null,{"key":"user_id","value":{}}]}', '{"info":null,"values":[]}', 'user_id=\'"`#\n'],
  survey: [
    survey('[null]'),
    survey(`[${fact}]`, '[null]'),
    // Found by these tests: a stack.
    survey(`[${fact}]`, answers('{"contentTypes":null,"samples":1,"observedAt":"","body":"never"}')),
    survey(
      `[${fact}]`,
      answers('{"contentTypes":[],"samples":1,"observedAt":"","body":"never","schema":{"properties":[1]}}'),
    ),
  ],
  observed: [
    '{"operation":"love","answers":{"200":{"contentTypes":[],"schema":{"properties":{"a":null}}}}}',
    '[]',
    'null',
  ],
  journal: [
    // Each ended in a stack, or was passed over in silence.
    '{"owner":"nobody","environment":"my","run":"r"}\n{"entry":{"id":"1"}}\n',
    '{"owner":"nobody","environment":"my","run":"r"}\n\u0000\u0000\n{}\n',
    '{"owner":{"pid":"1"},"environment":"my","run":"r"}\n',
  ],
  // A terminal would have obeyed what was typed.
  commandLine: [['\u0001'], ['check', '--env', 'nobody', '\u001b[2J']],
  history: [],
} as const satisfies Record<string, readonly unknown[]>;
