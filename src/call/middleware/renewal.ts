import { header, unlessAborted } from '../../http/index.ts';
import type { Redactor, Secret } from '../../redaction/index.ts';
import { headerSets } from '../../service/index.ts';
import { outcomeOf, type SuccessRule } from '../../verdict/index.ts';
import { IssuedSecret, NotIssued } from '../credentials/issued-secret.ts';
import type { Middleware, OutgoingCall } from './stages.ts';

/**
 * Gets the credentials of a call from their issuer before the call is sent, and masks them from then on. After a 401 where success was expected, it
 * requests a new credential once. It repeats the call with the new one if the call only reads, or if the service says that it rejected the token
 * itself (RFC 6750, 3.1: `invalid_token`).
 * @throws NotIssued
 */
export function renewal(redactor: Redactor, rule: SuccessRule | undefined): Middleware {
  return async (call, next) => {
    const issued = issuedFor(call);
    if (issued.length === 0) return next(call);
    const { signal } = call.session.context;
    await unlessAborted(Promise.all(issued.map((each) => each.fresh())), signal).catch((error: unknown) => {
      throw signal?.aborted ? new NotIssued('the run was stopped while a credential was issued') : error;
    });
    const isJudged = call.expected === 'success' && call.changes.size === 0;
    const send = async () => {
      // `next` prepares the request at once, so it sends the secrets that are current here.
      const sent = issued.flatMap(({ current }) => current ?? []);
      redactor.add(...sent);
      const exchange = await next(call);
      if (isJudged && outcomeOf(exchange, rule).isAccepted)
        for (const each of issued) for (const secret of sent) each.accepted(secret);
      return { exchange, sent };
    };
    const { exchange, sent } = await send();
    const { response } = exchange;
    const isUnknown = outcomeOf(exchange, rule).refusesCredential === 'unknown';
    if (!isJudged || !response || !isUnknown) return exchange;
    const wasStopped = /\binvalid_token\b/.test(header(response, 'www-authenticate') ?? '');
    const mayRepeat = call.operation.effect === 'read' || wasStopped;
    const others = await Promise.all(
      issued.map((each, index) =>
        each.insteadOf(sent[index] as Secret).catch((error: unknown) => {
          // The call should be repeated, but the issuer gave no new credential. So the service can't be judged, and the issuer's error ends
          // the call.
          if (mayRepeat) throw error;
          return undefined;
        }),
      ),
    );
    return mayRepeat && others.some((each) => each !== undefined) ? (await send()).exchange : exchange;
  };
}

const byHeader = [
  ['authorization', 'accessToken'],
  ['mm-api-key', 'apiKey'],
] as const;

/** The issued credentials of a call, except those that the call replaces or omits on purpose. */
function issuedFor({ operation, changes, session }: OutgoingCall): IssuedSecret[] {
  const names: readonly string[] = headerSets[operation.headerSet];
  return byHeader.flatMap(([name, credential]) => {
    const secret = session.caller[credential];
    return secret instanceof IssuedSecret && names.includes(name) && !changes.has(name) ? [secret] : [];
  });
}
