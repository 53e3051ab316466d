import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Issue, type Issued, type IssuedSecret, NotIssued } from '../../call/credentials/issued-secret.ts';
import type { Secret } from '../../redaction/index.ts';
import { fileRoles, remove, scratchFolder } from '../files/index.ts';

// Not an `import` of node:http, because that would read all exports of the module and so load a WebSocket client, which takes 30 ms in each
// process.
const http = process.getBuiltinModule('node:http');

/** Variable that gives worker processes the socket at which their parent hands out credentials. */
const BROKER_VARIABLE = 'SEXTANT_CREDENTIALS';

let isParent = false;

/** The socket at which this process asks for credentials. `undefined` if this process gets the credentials from their issuers. */
export const brokerAddress = () => (isParent ? undefined : process.env[BROKER_VARIABLE]);

/**
 * Hands out the credentials of this process to its worker processes, so that each credential is issued only once. Resolves with a function
 * that closes the socket.
 */
export async function startBroker(
  credentialOf: (environment: string, key: string) => IssuedSecret | undefined,
): Promise<() => Promise<void>> {
  const folder = scratchFolder('sextant-');
  // Only this user can read the folder, so no other user can get credentials from the socket.
  const socket = process.platform === 'win32' ? `\\\\.\\pipe\\sextant-${randomUUID()}` : join(folder, 'credentials');
  const server = http.createServer(async ({ url = '' }, response) => {
    const [, environment = '', key = '', refused = ''] = url.split('/').map(decodeURIComponent);
    try {
      const credential = credentialOf(environment, key);
      if (!credential) throw new NotIssued(`${key} of ${environment} is not issued`);
      response.end(JSON.stringify(await issuedFor(credential, refused)));
    } catch (error) {
      response.end(JSON.stringify({ problem: error instanceof NotIssued ? error.message : 'the issuer failed' }));
    }
  });
  await once(server.listen(socket), 'listening');
  process.env[BROKER_VARIABLE] = socket;
  isParent = true;
  return async () => {
    isParent = false;
    delete process.env[BROKER_VARIABLE];
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    remove(folder, fileRoles.scratch);
  };
}

async function issuedFor(credential: IssuedSecret, refused: string): Promise<Issued> {
  const secret = await credential.fresh();
  const issued = hashOf(secret) === refused ? ((await credential.insteadOf(secret)) ?? secret) : secret;
  const { expiresAt } = credential;
  return { value: issued.reveal(), ...(expiresAt === undefined ? {} : { expiresAt }) };
}

export function issueByBroker(socket: string, environment: string, key: string): Issue {
  const path = (refused?: Secret) =>
    `/${[environment, key, refused ? hashOf(refused) : ''].map(encodeURIComponent).join('/')}`;
  return (refused) =>
    new Promise((resolve, reject) => {
      const request = http.get({ socketPath: socket, path: path(refused), agent: false }, async (response) => {
        try {
          const answer = JSON.parse(await text(response)) as Issued & { readonly problem?: string };
          if (answer.problem !== undefined) throw new NotIssued(answer.problem);
          resolve(answer);
        } catch (error) {
          reject(error);
        }
      });
      request.on('error', () => reject(new NotIssued(`${key} was not issued: the run that issues it is over`)));
    });
}

const hashOf = (secret: Secret) => createHash('sha256').update(secret.reveal()).digest('hex');
