import { Visitor } from 'oxc-parser';
import { connectionCure } from '../../src/cli/connect/examination/explain.ts';
import { connectionCodes, reasonOfCode } from '../../src/http/index.ts';
import { sourceOf, textsOf } from '../sources.ts';
import { inCell, table } from './table.ts';

/** A message in the source code. `…` stands in place of values that are inserted at run time. */
export interface Message {
  readonly kind: 'skip' | 'mistake' | 'usage';
  readonly text: string;
}

/** The functions and classes that take a message, with the kind of the message and the index of its argument. */
const makers: Readonly<Record<string, readonly [kind: Message['kind'], argument: number]>> = {
  Skipped: ['skip', 0],
  Unproven: ['skip', 0],
  skipped: ['skip', 0],
  unjudged: ['skip', 2],
  SpecMistake: ['mistake', 0],
  ConfigurationError: ['usage', 0],
};

type Expression = { readonly type: string; readonly [key: string]: unknown };

/** The texts that an expression can have; none if they are only known at run time. */
function textsIn(node: Expression | undefined): string[] {
  if (node?.type === 'Literal') return [String(node.value)];
  if (node?.type === 'TemplateLiteral') {
    const quasis = node.quasis as readonly { readonly value: { readonly cooked: string } }[];
    return [quasis.map(({ value }) => value.cooked).join('…')];
  }
  if (node?.type === 'ConditionalExpression')
    return [node.consequent, node.alternate].flatMap((each) => textsIn(each as Expression));
  return [];
}

let foundMessages: readonly Message[] | undefined;

/**
 * The messages with which the program explains why it skipped something, or what is wrong in a spec, in settings or in arguments. Several tables
 * need the messages, so the source code is parsed only once.
 */
export function messages(): readonly Message[] {
  foundMessages ??= findMessages();
  return foundMessages;
}

function findMessages(): Message[] {
  const found = new Map<string, Message>();
  for (const [file, text] of textsOf(['src/**/*.ts', 'fixtures/*.ts'])) {
    if (/\.test\.ts$|^src\/testing\//.test(file)) continue;
    const add = (callee: Expression, args: readonly unknown[]) => {
      const name = String(callee.type === 'MemberExpression' ? (callee.property as Expression).name : callee.name);
      const maker = Object.hasOwn(makers, name) ? makers[name] : undefined;
      if (!maker) return;
      const [kind, argument] = maker;
      for (const each of textsIn(args[argument] as Expression))
        if (/\p{L}{3}/u.test(each)) found.set(each, { kind, text: each.trim().replaceAll(/\s*\n\s*/g, ' ') });
    };
    new Visitor({
      NewExpression: (node) => add(node.callee as unknown as Expression, node.arguments),
      CallExpression: (node) => add(node.callee as unknown as Expression, node.arguments),
    }).visit(sourceOf(file, text).program);
  }
  return [...found.values()].sort((a, b) => (a.text < b.text ? -1 : 1));
}

/** Cures for messages that contain no cure themselves. The first pattern that matches a message applies. */
export const cures: readonly (readonly [message: RegExp, cure: string])[] = [
  [/^not allowed in/, 'Add the effect to `ALLOWED_EFFECTS`, if the environment may be changed in this way'],
  [
    /^… was not sent/,
    'Set `FRIEND_PROFILE_REQUEST`, or add `overwriting` to `ALLOWED_EFFECTS` if the old profile may be lost',
  ],
  [/OTHER_CLIENT_ID/, 'Name a client that the same token may use, or remove `OTHER_CLIENT_ID`'],
  [/^an invented client id/, 'Nothing helps: this service takes the client from the token'],
  [/^neither …/, 'Set `FRIEND_PROFILE_REQUEST`, or survey the environment'],
  [/stored item/, 'Add unused ids to `STORED_ITEM_IDS`, or set `PROVISION_URL`'],
  [
    /^needs a user who exists|of an invented user/,
    'Add ids of existing users to `OTHER_USER_IDS`, or set `PROVISION_URL`',
  ],
  [/^the service accepts only one gender code/, 'Nothing helps: this service accepts one code'],
  [/^needs/, 'Set the key that the message names'],
  [/provides fresh users/, 'Set `PROVISION_URL`'],
  [/run `…` to/, 'Run the command that the message names'],
  [/^no response of this service shows/, 'Nothing to do. If the service shows it now, survey the environment again'],
  [
    /^the list shows no entries|^the profile shows only/,
    'Survey the environment: no response shows any more what a fact says',
  ],
  [
    /does not require a check|leaves open$/,
    'Nothing to do: the specification allows it. A survey makes a fact of it, which later runs check',
  ],
  [/is not found/, 'Allow `reversible`, so that a scenario can fill the list, or survey the environment'],
  [/^… is refused$/, 'Survey the environment: a fact says that the service accepts it'],
];

export function cureOf(text: string): string | undefined {
  return cures.find(([message]) => message.test(text))?.[1];
}

const skipTable = () =>
  table(
    ['message', 'what to do'],
    messages().flatMap(({ kind, text }) => (kind === 'skip' ? [[shownText(text), cureOf(text) ?? '']] : [])),
  );

const listOf = (kind: Message['kind']) =>
  messages()
    .flatMap((each) => (each.kind === kind ? `- ${shownText(each.text)}` : []))
    .join('\n');

/** The table of connection failures by error code, with the cure that `doctor` prints. */
const connectionTable = () =>
  table(
    ['message', 'code', 'what to do'],
    connectionCodes.map((code) => [
      inCell(reasonOfCode(code) ?? ''),
      `\`${code}\``,
      inCell(connectionCure({ code }, 'the address', []) ?? ''),
    ]),
  );

/** The generated parts of the page of messages. */
export const messageParts = () =>
  [
    ['connections', connectionTable()],
    ['skips', skipTable()],
    ['mistakes', listOf('mistake')],
    ['usage', listOf('usage')],
  ] as const;

function shownText(text: string): string {
  return inCell(text).replaceAll('<', '&lt;');
}
