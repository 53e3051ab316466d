import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Access, accessOf, type PageRequest, passOf } from './access.ts';

const token = 'correct horse battery';
const anonymous: PageRequest = { host: '127.0.0.1:9464', authorization: undefined, cookie: undefined };
const local = { listen: '127.0.0.1', isPublic: false };

const rows: [string, PageRequest, Parameters<typeof accessOf>[1], Access][] = [
  ['this machine', anonymous, local, 'all'],
  ['by name', { ...anonymous, host: 'localhost:9464' }, local, 'all'],
  ['IPv6', { ...anonymous, host: '[::1]:9464' }, local, 'all'],
  ['another name for this machine', { ...anonymous, host: 'evil.example:9464' }, local, 'none'],
  ['no host', { ...anonymous, host: undefined }, local, 'none'],
  [
    'the name in PAGE_URL',
    { ...anonymous, host: 'status.your.org' },
    { ...local, pageUrl: 'https://status.your.org/' },
    'all',
  ],
  ['a token is set: no access without it', anonymous, { ...local, token }, 'none'],
  ['with it', { ...anonymous, authorization: `Bearer ${token}` }, { ...local, token }, 'all'],
  ['with another', { ...anonymous, authorization: `Bearer ${token}!` }, { ...local, token }, 'none'],
  ['with its cookie', { ...anonymous, cookie: `a=b; sextant=${passOf(token)}` }, { ...local, token }, 'all'],
  ['with another cookie', { ...anonymous, cookie: `sextant=${passOf('other')}` }, { ...local, token }, 'none'],
  ['public', { ...anonymous, host: 'anything' }, { ...local, isPublic: true }, 'public'],
  [
    'public, with a token',
    { ...anonymous, authorization: `bearer ${token}` },
    { ...local, isPublic: true, token },
    'all',
  ],
];

test('access by request and settings', () => {
  for (const [name, asked, guard, expected] of rows) assert.equal(accessOf(asked, guard), expected, name);
});
