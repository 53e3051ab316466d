import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ownFolder } from '../../src/testing/own-folder.ts';
import { listening } from '../../src/testing/servers/listening.ts';
import { packagedNode, provenanceOf } from './node-provenance.ts';

const folder = ownFolder();
const name = 'node-v1.2.3-linux-x64';
const file = join(folder, name, 'bin', 'node');
mkdirSync(join(folder, name, 'bin'), { recursive: true });
writeFileSync(file, 'a program');
execFileSync('tar', ['czf', `${name}.tar.gz`, name], { cwd: folder });
const archive = readFileSync(join(folder, `${name}.tar.gz`));

let sums = '';
const server = createServer(({ url }, response) => {
  if (url === '/v1.2.3/SHASUMS256.txt') response.end(sums);
  else if (url === `/v1.2.3/${name}.tar.gz`) response.end(archive);
  else response.writeHead(404).end();
});
const { url: from, stop } = await listening(server);
after(stop);

const ofArchive = `${hash('sha256', archive)}  ${name}.tar.gz\n`;
const ofProgram = (text: string) => `${hash('sha256', text)}  win-x64/node.exe\n`;
for (const [title, given, node, expected, says] of [
  ['the same program', ofArchive, {}, true, /^sha256 \w{64} is that of /],
  ['another program', ofArchive, { file: join(folder, `${name}.tar.gz`) }, false, / is not \w{64}, that of /],
  ['an archive with another checksum', ofArchive.replace(/^./, 'x'), {}, false, /does not have the checksum/],
  ['a program for Windows', ofProgram('a program'), { platform: 'win-x64' }, true, / is that of /],
  ['another for Windows', ofProgram('b'), { platform: 'win-x64' }, false, / is not /],
  ['a version that is not there', ofArchive, { version: '9.9.9' }, undefined, /HTTP 404/],
] as const)
  test(`provenance: ${title}`, async () => {
    sums = given;
    const found = await provenanceOf({ file, version: '1.2.3', platform: 'linux-x64', ...node }, from);
    assert.equal(found.isOfficial, expected);
    assert.match(found.text, says);
  });

test('the packaged Node is that of nodejs.org', {
  skip: process.env.SEXTANT_TEST_PACKAGE ? false : 'downloads 50 MB from nodejs.org: set SEXTANT_TEST_PACKAGE=1',
}, async (t) => {
  const node = packagedNode();
  if (!node) return t.skip('none is installed for this platform');
  const { isOfficial, text } = await provenanceOf(node, 'https://nodejs.org/dist');
  if (isOfficial === undefined) return t.skip(text);
  assert.equal(isOfficial, true, text);
});
