import { proxyHref, type Route } from '../../../client/index.ts';
import { type Checked, text } from '../../../config/index.ts';
import { type ChannelType, reasonOf, required, SendFailed } from '../channel.ts';
import { noticeLines } from '../notice-lines.ts';

/** E-mail by SMTP. Notices of one incident form one thread; a notice that is sent twice has the same Message-ID. */
export const email: ChannelType = {
  keys: {
    SMTP_URL: required(smtpAddress, 'mail server, e.g. smtps://user:password@mail.your.org'),
    EMAIL_FROM: required(text, 'sender address'),
    EMAIL_TO: required(text, 'recipients, comma-separated'),
  },
  open: ({ SMTP_URL = '', EMAIL_FROM = '', EMAIL_TO = '' }) => {
    // Loaded now and not with the first mail: by then an update may have changed the packages on disk.
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
        // The library's message may quote the server, and the server our password.
        throw new SendFailed(mailTrouble(error));
      } finally {
        transport.close();
      }
    };
  },
};

/** What OpenSSL says of a certificate, in words. */
const certificates: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain has a self-signed certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of an unknown authority',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

const codes: Readonly<Record<string, string>> = {
  EDNS: "its name can't be resolved; check the host in SMTP_URL, and encode @ and # in the password as %40 and %23",
  ETIMEDOUT: 'it does not respond in time',
  ECONNREFUSED: 'it refuses the connection',
  ECONNECTION: 'the connection was closed',
  ESOCKET: 'no connection was possible',
  ETLS: 'it takes no TLS; smtps:// is for TLS from the start, smtp:// for STARTTLS',
  EAUTH: 'it does not accept the user or the password in SMTP_URL; encode @ and # in the password as %40 and %23',
  EENVELOPE: 'it does not accept EMAIL_FROM or EMAIL_TO',
};

/** Why a mail was not taken. The library names the reason below its own code, in the code of a cause or in the text. */
function mailTrouble(error: unknown): string {
  const { code = '', responseCode, message = '', cause } = error as Error & { code?: string; responseCode?: number };
  const below = (cause as { code?: string } | undefined)?.code ?? '';
  const names = [below, code];
  const byText = [
    [/self[- ]signed certificate in certificate chain/i, 'SELF_SIGNED_CERT_IN_CHAIN'],
    [/self[- ]signed certificate/i, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    [/unable to verify the first certificate/i, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    [/unable to get local issuer/i, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
    [/certificate has expired/i, 'CERT_HAS_EXPIRED'],
    [/altnames/i, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    [/ECONNREFUSED/, 'ECONNREFUSED'],
  ] as const;
  const found = byText.find(([pattern]) => pattern.test(message))?.[1];
  const text = [found, ...names].map((name) => certificates[name ?? ''] ?? codes[name ?? '']).find(Boolean);
  const status = [code, responseCode].filter(Boolean).join(' ') || 'no error code';
  return `the mail server did not accept the message (${text ? `${text}; ` : ''}${status})`;
}

/** The library takes options of a connection from its address alone. */
function connectionUrl(address: string, route: Route | undefined): string {
  const url = new URL(address);
  // A tunnel, as for https.
  const proxy = route?.proxyFor(new URL(address.replace(/^smtps?:/, 'https:')));
  if (!proxy) return address;
  if (url.port === '') url.port = url.protocol === 'smtps:' ? '465' : '587';
  for (const [name, value] of Object.entries({ proxy: proxyHref(proxy), requireTLS: 'true' }))
    if (!url.searchParams.has(name)) url.searchParams.set(name, value);
  return url.href;
}

function smtpAddress(value: string): Checked<string> {
  const url = URL.parse(value);
  return url && /^smtps?:$/.test(url.protocol) ? { value } : { problem: 'is not an smtp:// or smtps:// URL' };
}
