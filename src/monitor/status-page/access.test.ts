import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Access, accessOf, type PageRequest, passOf } from './access.ts';

const token = 'correct horse battery';
const nobody: PageRequest = { host: '127.0.0.1:9464', authorization: undefined, cookie: undefined };
const local = { listen: '127.0.0.1', isPublic: false };

const rows: [string, PageRequest, Parameters<typeof accessOf>[1], Access][] = [
  ['this machine', nobody, local, 'all'],
  ['by name', { ...nobody, host: 'localhost:9464' }, local, 'all'],
  ['IPv6', { ...nobody, host: '[::1]:9464' }, local, 'all'],
  ['a foreign name for this machine', { ...nobody, host: 'evil.example:9464' }, local, 'none'],
  ['no host', { ...nobody, host: undefined }, local, 'none'],
  [
    'the name that it was given',
    { ...nobody, host: 'status.your.org' },
    { ...local, pageUrl: 'https://status.your.org/' },
    'all',
  ],
  ['a token is set: nobody without it', nobody, { ...local, token }, 'none'],
  ['with it', { ...nobody, authorization: `Bearer ${token}` }, { ...local, token }, 'all'],
  ['with another', { ...nobody, authorization: `Bearer ${token}!` }, { ...local, token }, 'none'],
  ['with its pass', { ...nobody, cookie: `a=b; sextant=${passOf(token)}` }, { ...local, token }, 'all'],
  ['with another pass', { ...nobody, cookie: `sextant=${passOf('other')}` }, { ...local, token }, 'none'],
  ['public', { ...nobody, host: 'anything' }, { ...local, isPublic: true }, 'public'],
  ['public, with a token', { ...nobody, authorization: `bearer ${token}` }, { ...local, isPublic: true, token }, 'all'],
];

test('who may see what', () => {
  for (const [name, asked, guard, expected] of rows) assert.equal(accessOf(asked, guard), expected, name);
});
