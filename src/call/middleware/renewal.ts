import { header, unlessAborted } from '../../http/index.ts';
import type { Redactor, Secret } from '../../redaction/index.ts';
import { headerSets } from '../../service/index.ts';
import { outcomeOf, type SuccessRule } from '../../verdict/index.ts';
import { IssuedSecret, NotIssued } from '../credentials/issued-secret.ts';
import type { Middleware, OutgoingCall } from './stages.ts';

/**
 * Has the credentials of a call issued before it is sent, and masks them from then on. After a 401 where success was expected, another
 * one is asked for once; the call is repeated with it if it only reads, or if the service says that it stopped at the token
 * (RFC 6750, 3.1: `invalid_token`). @throws NotIssued
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
      // The secret that is read now is the one that is sent: nothing can be issued in between.
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
          // Nothing was changed, and whether the service is well can't be known without a credential.
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

/** The credentials of a call that are issued; not those that it replaces or leaves out on purpose. */
function issuedFor({ operation, changes, session }: OutgoingCall): IssuedSecret[] {
  const names: readonly string[] = headerSets[operation.headerSet];
  return byHeader.flatMap(([name, credential]) => {
    const secret = session.caller[credential];
    return secret instanceof IssuedSecret && names.includes(name) && !changes.has(name) ? [secret] : [];
  });
}
