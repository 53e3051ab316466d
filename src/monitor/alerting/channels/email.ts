import { type Checked, required, text } from '../../../environment/index.ts';
import { decoded, proxyHref, type Route } from '../../../http/index.ts';
import { type ChannelType, credential, reasonOf, SendFailed } from '../channel.ts';
import { noticeLines } from '../notice-lines.ts';

/**
 * E-mail by SMTP. The notices of one incident form one thread. If the monitor sends a notice twice, both mails have the same Message-ID.
 */
export const email: ChannelType = {
  keys: {
    SMTP_URL: credential(required(smtpAddress, 'mail server, e.g. smtps://user:password@mail.your.org'), passwordIn),
    EMAIL_FROM: required(text, 'sender address'),
    EMAIL_TO: required(text, 'recipients, comma-separated'),
  },
  open: ({ SMTP_URL = '', EMAIL_FROM = '', EMAIL_TO = '' }) => {
    // Load the library at the start, and not with the first mail: by then, an update may have changed the packages on disk.
    const library = import('nodemailer');
    library.catch(() => {});
    return async (notice, { key, signal, route }) => {
      const { createTransport } = await library;
      const transport = createTransport(connectionUrl(SMTP_URL, route));
      try {
        const thread = `<${notice.incident}@sextant>`;
        await transport.sendMail({
          from: EMAIL_FROM,
          to: EMAIL_TO,
          subject: notice.headline,
          text: noticeLines(notice).join('\n'),
          messageId: `<${key}@sextant>`,
          references: thread,
          inReplyTo: thread,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Sextant-Key': key },
          disableFileAccess: true,
          disableUrlAccess: true,
          signal,
        });
      } catch (error) {
        if (signal.aborted) throw new SendFailed(reasonOf(signal.reason));
        // Don't show the library's message: it may quote the server, and the server may quote our password.
        throw new SendFailed(mailTrouble(error));
      } finally {
        transport.close();
      }
    };
  },
};

const ENCODE = 'encode @ and # in the password as %40 and %23';

/**
 * Explanations why the server did not accept a mail. The patterns match the code of the library's error, the code of the error's cause, or
 * OpenSSL's text.
 */
const troubles: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/self[- ]signed/i, 'its certificate is self-signed'],
  [/unable to (verify|get)/i, 'its certificate is of an unknown authority'],
  [/certificate has expired/i, 'its certificate has expired'],
  [/altnames/i, 'its certificate is for another host'],
  [/ECONNREFUSED/, 'it refuses the connection'],
  [/EDNS|ENOTFOUND/, `its name can't be resolved; check the host in SMTP_URL, and ${ENCODE}`],
  [/ETIMEDOUT/, 'it does not respond in time'],
  [/ETLS/, 'it supports no TLS; smtps:// is for TLS from the start, smtp:// for STARTTLS'],
  [/EAUTH/, `it does not accept the user or the password in SMTP_URL; ${ENCODE}`],
  [/EENVELOPE/, 'it does not accept EMAIL_FROM or EMAIL_TO'],
  [/ESOCKET|ECONNECTION/, 'no connection was possible'],
];

function mailTrouble(error: unknown): string {
  const { code = '', responseCode, message = '', cause } = error as Error & { code?: string; responseCode?: number };
  const said = [(cause as { code?: string } | undefined)?.code, code, message].join(' ');
  const text = troubles.find(([pattern]) => pattern.test(said))?.[1];
  const status = [code, responseCode].filter(Boolean).join(' ') || 'no error code';
  return `the mail server did not accept the message (${text ? `${text}; ` : ''}${status})`;
}

/** The address of the mail server, with the options `proxy` and `requireTLS` as a query: this is where the library reads them. */
function connectionUrl(address: string, route: Route | undefined): string {
  const url = new URL(address);
  // Mail goes through the proxy in a tunnel, as https does, so it needs the proxy for https.
  const proxy = route?.proxyFor(new URL(address.replace(/^smtps?:/, 'https:')));
  if (!proxy) return address;
  if (url.port === '') url.port = url.protocol === 'smtps:' ? '465' : '587';
  for (const [name, value] of Object.entries({ proxy: proxyHref(proxy), requireTLS: 'true' }))
    if (!url.searchParams.has(name)) url.searchParams.set(name, value);
  return url.href;
}

function passwordIn(value: string): string[] {
  return [decoded(URL.parse(value)?.password ?? '')].filter(Boolean);
}

function smtpAddress(value: string): Checked<string> {
  const url = URL.parse(value);
  return url && /^smtps?:$/.test(url.protocol) ? { value } : { problem: 'is not an smtp:// or smtps:// URL' };
}
