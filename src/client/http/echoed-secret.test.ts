import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { test } from 'node:test';
import { operation } from '../../spec/index.ts';
import { bodyPlaces, headPlaces } from '../../testing/echo/echoing-service.ts';
import { type SecretForm, secretForms } from '../../testing/echo/secret-forms.ts';
import { findLeaks } from '../../testing/find-leaks.ts';
import { listening } from '../../testing/servers/listening.ts';
import { Redactor } from '../redaction/redactor.ts';
import { Secret } from '../redaction/secret.ts';
import type { Exchange } from './exchange.ts';
import { NodeTransport } from './node-transport.ts';
import { send } from './transport.ts';

const value = 'canary+user/5f0c9d?a=~71&"ab<e\\n%41';
const redactor = new Redactor([new Secret(value)]);

/** One exchange with a service that does what `listener` says. */
async function exchangeWith(listener: RequestListener): Promise<Exchange> {
  const { url, stop } = await listening(createServer(listener));
  const transport = new NodeTransport();
  try {
    const prepared = { method: 'GET', url: `${url}/v1`, headers: {}, credentials: new Map<string, string>() };
    const options = { timeoutMs: 20_000, maxBytes: 100_000, redactor };
    return await send(transport, operation('listBlocked'), prepared, {}, options);
  } finally {
    transport.close();
    await stop();
  }
}

function assertMasked(exchange: Exchange, what: string): void {
  assert.equal(exchange.echoedSecret, true, what);
  const { body, ...head } = exchange.response ?? assert.fail(`${what}: ${exchange.failure?.reason}`);
  const kept = JSON.stringify([head, body.text, body.json]);
  assert.deepEqual(findLeaks(Buffer.from(kept), { value }, what), []);
}

for (const { name, fits, say } of headPlaces)
  test(`a credential that comes back is masked and noted: ${name}`, async () => {
    const fitting = secretForms.filter(({ encode }) => fits.test(encode(value)));
    assert.ok(fitting.length >= 8, `${fitting.length} forms`);
    for (const form of fitting) {
      const exchange = await exchangeWith((_, response) => {
        say(response, [form.encode(value)]);
        response.setHeader('content-type', 'application/json').end('{}');
      });
      assertMasked(exchange, `${form.name} in ${name}`);
    }
  });

for (const [name, compose] of Object.entries(bodyPlaces))
  test(`a credential that comes back is masked and noted: ${name}`, async () => {
    for (const form of secretForms) assertMasked(await exchangeWith(saying(form, compose)), `${form.name} in ${name}`);
  });

function saying(form: SecretForm, compose: (typeof bodyPlaces)[string]): RequestListener {
  return async (_, response) => {
    const { bytes, headers = {}, isSplit } = compose([form.encode(value)]);
    response.setHeaders(new Map(Object.entries(headers)));
    for (const byte of isSplit ? bytes : []) {
      response.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    response.end(isSplit ? '' : bytes);
  };
}

test('an answer that repeats nothing is handed on to the byte, and nothing is noted', async () => {
  const text = '{ "a": 1.50, "b": "\\u002B%2B" }';
  const { response, ...exchange } = await exchangeWith((_, reply) => {
    reply.writeHead(200, 'Fine', { 'x-token': 'other', 'content-type': 'application/json' }).end(text);
  });
  assert.equal(exchange.echoedSecret, undefined);
  assert.equal(response?.body.text, text);
  assert.equal(response?.statusText, 'Fine');
  assert.deepEqual(response?.headers.slice(0, 2), [
    ['x-token', 'other'],
    ['content-type', 'application/json'],
  ]);
});
