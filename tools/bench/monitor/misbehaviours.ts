import { misbehaviours } from '../../../src/testing/misbehaviours.ts';
import { type Behaviour, startRawServer } from '../../../src/testing/raw-server.ts';
import { testEnvironment } from '../../../src/testing/test-environment.ts';
import { print } from './figures.ts';
import { switchThrough, title } from './live-switching.ts';
import { tlsSwitchboard } from './tls-switchboard.ts';

// Switches through every misbehaviour under one running monitor, over plain HTTP and then over TLS.
let behaviour: Behaviour = {};
const server = await startRawServer({
  onSocket: (socket) => behaviour.onSocket?.(socket),
  onRequest: (socket, request) => behaviour.onRequest?.(socket, request),
});
const plain = await switchThrough(
  testEnvironment(`http://127.0.0.1:${server.port}/`),
  misbehaviours.filter(({ titles }) => !titles || titles.includes(title)),
  (row) => {
    behaviour = row;
  },
);
await server.stop();

const switchboard = await tlsSwitchboard();
const tls = await switchThrough(
  testEnvironment(`https://127.0.0.1:${switchboard.port}/`),
  switchboard.rows,
  switchboard.switchTo,
);
await switchboard.stop();

for (const [name, { tried, wrong, slowest }] of Object.entries({ 'plain HTTP': plain, TLS: tls }))
  print(`${name}: ${tried} misbehaviours, ${wrong} wrong; the page's slowest response ${Math.round(slowest)} ms`);
process.exitCode = plain.wrong + tls.wrong > 0 ? 1 : 0;
