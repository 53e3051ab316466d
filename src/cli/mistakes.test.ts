import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runInProcess } from '../testing/programs/run-in-process.ts';
import { ownFolder } from '../testing/servers/own-service.ts';
import { rawResponse, startRawServer } from '../testing/servers/raw-server.ts';
import { environmentText } from '../testing/test-environment.ts';

const folder = ownFolder();
const nowhere = environmentText('http://127.0.0.1:9');
const files = {
  'mine.env': nowhere,
  'broken.env': 'FRIEND_URl=x\n',
  'bad.env': environmentText('http://127.0.0.1:9', { STORY_URL: 'nowhere' }),
  'far.env': environmentText('https://far.sextant.test', { ACCESS_TOKEN: undefined, API_KEY: undefined }),
  settings: 'EVRY=5s',
  channels: 'WEBHOOK_URL=http://127.0.0.1:1/#canary\n',
  token: 'TOKEN=canary-token-of-the-monitor-0123',
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
Object.assign(process.env, {
  SEXTANT_ENVIRONMENTS: folder,
  SEXTANT_OUTPUT: join(folder, 'output'),
  SEXTANT_STATE: join(folder, 'state'),
  PLAYWRIGHT_BROWSERS_PATH: folder,
  FAR_ACCESS_TOKEN: 'canary-token-of-far',
  FAR_API_KEY: 'canary-key-of-far',
  CI: '',
});

// A login page that repeats the credentials of the request.
const page = await startRawServer({
  onRequest: (socket, { head }) =>
    socket.end(rawResponse('200 OK', `<h1>Log in</h1> ${/^authorization: (.*)$/im.exec(head)?.[1]}`)),
});
after(() => page.stop());

const rows: [args: string, ...says: RegExp[]][] = [
  [
    'test --env min',
    /^There is no environment "min" .*did you mean mine\?.* `npx sextant environments new min` makes it\.\n$/,
  ],
  ['compare min mine', /^There is no environment "min" .* `npx sextant environments new min` makes it\.\n$/],
  [
    'check --env nope*',
    /^No environment matches --env 'nope\*'\..* `npx sextant environments new NAME` makes one\.\n$/,
  ],
  ['check --env mine --only x', /unknown option '--only'\n\(sextant check --help lists its options\)\n$/],
  ['check --env mine --grep zzz', /matches --grep 'zzz'\. `npx sextant environments check NAME` lists every/],
  [
    'survey --env mine --only repat',
    /matches --only 'repat'\. The nearest names: repeat, \w+, \w+, \w+, \w+\. docs\/learn\.md lists all questions/,
  ],
  [
    'check --env mine --env far --set FRIEND_URL=http://127.0.0.1:9',
    /^--set needs one environment, and not local: name it/,
  ],
  ['test --set FRIEND_URL=http://127.0.0.1:9', /^--set needs one environment, and not local/],
  ['test --env mine --set STORY_ID=x --set FRIEND', /^--set STORY_ID, FRIEND: only addresses can be set: FRIEND_URL, /],
  ['undo --env mine --set FRIEND_URL=me:canary@x', /1 problem\.\n +--set\n +FRIEND_URL +contains a user or a password/],
  ['test --env broken', /^Environment "broken" can't be used: \d+ problems\.\n/],
  ['test --env mine --ui', /^UI mode needs a browser: .*--ui-port=8080`\.\n$/],
  ['test --area freinds', /Not an area \(did you mean friends\?\)/],
  [
    'check --env min --env broke',
    /no environment "min".*did you mean mine.*no environment "broke".*did you mean broken/s,
  ],
  ['prober --env min', /no environment "min".*did you mean mine\?/],
  ['prober --env bad', /bad\.env\n +STORY_URL +/],
  ['prober --env mine --listen http://x', /--listen "http:\/\/x" is not an address to listen on/],
  ['prober --env mine --queue long', /"long" is not a whole number/],
  ['prober --env far', /needs your consent.*--yes/],
  [
    `monitor --env min --every 1s --settings ${join(folder, 'settings')}`,
    /no environment "min".*did you mean mine\?/,
    /EVERY +"1s" is not a duration/,
    /EVRY .*did you mean EVERY\?/,
  ],
  [
    `alerts test --channel webhok --settings ${join(folder, 'channels')}`,
    /Channel "webhok" is not configured \(did you mean webhook\?\)/,
    /^Warning: \S+channels, line 1, WEBHOOK_URL: the value ends before #; put it in quotes/,
  ],
  ['compare mine mine', /^Nothing is known of mine yet\. Run `npx sextant survey --env mine`\.\n$/],
  ['drill --area friends', /`drill --area` was removed; --fault chooses faults by name, e\.g\. --fault 'love-\*'\.\n$/],
  [
    'survey --env mine --tag=read',
    /`survey --tag` was removed; --only chooses questions, e\.g\. --only 'love,repeat'\.\n$/,
  ],
  ['drill --fault no-such-fault', /^No fault or valid variant matches "no-such-fault"/],
  ['drill --fail-under 95', /--yes and --fail-under need --env\.\n$/],
  [
    'environments new staging',
    /^environments new asks questions, but there is no terminal\. Use npx sextant environments import FILE --name NAME, [^\n]*\n$/,
  ],
  ['export --env mine --format bruno', /^`--format bruno` was removed, [^\n]*: use --format postman\.\n$/],
  [
    `maintenance start --env mine --settings ${join(folder, 'token')} --url http://127.0.0.1:${page.port}/`,
    /^The server at http:\/\/127\.0\.0\.1:\d+ is no monitor: 200, <h1>Log in<\/h1> Bearer \*\*\*\. --url names another address\.\n$/,
  ],
  ['new scenario x --area storys', /argument 'storys' is invalid\. Allowed choices are .*friends, stories,/],
  ['complete', /unknown command 'complete'/],
  [
    'report --merge shards',
    /^`sextant report` was removed, [^\n]*: `npx --no allure generate`, as docs\/ci\.md shows\.\n$/,
  ],
  [
    'test --env mine --shard=2/4',
    /^`--shard` was removed, [^\n]* Give each job an environment of its own; [^\n]*\.\n$/,
  ],
  // Every command that sends requests asks for consent before its first run against an environment.
  ...['check', 'test', 'survey', 'monitor', 'undo'].map((command): [string, ...RegExp[]] => [
    `${command} --env far`,
    /A run against far calls/,
    /Nothing was sent: .*--yes/,
  ]),
];
for (const [args, ...says] of rows)
  test(`${args.replaceAll(folder, '')}: one clear error, and exit 2`, async () => {
    const { code, out, err } = await runInProcess(args.split(' '));
    assert.equal(code, 2, out + err);
    for (const pattern of says) assert.match(err, pattern);
    assert.doesNotMatch(out + err, /^\s+at |canary|Running/m);
  });
