import { fieldsIn } from '../../http/json.ts';
import { Masked, Secret } from '../../redaction/index.ts';
import { SuiteFault } from '../../verdict/suite-error.ts';

export interface Issued {
  readonly value: string;
  /** In ms since 1970; absent if the expiry is unknown. */
  readonly expiresAt?: number;
}

/** Issues a credential; `refused` is the credential that the service no longer accepts. @throws NotIssued */
export type Issue = (refused?: Secret) => Promise<Issued>;

/** The issuer returned no credential, so nothing was sent and nothing is known about the service. */
export class NotIssued extends SuiteFault {
  override readonly name = 'NotIssued';
  override readonly category = 'unknown';
}

/** A credential is renewed when a fifth of its lifetime is left, or this time before it expires, in ms, whichever is later. */
const LONGEST_MARGIN_MS = 60_000;
/** Pause before an issuer that failed is asked again, in ms; each further failure doubles it. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A credential that the service never accepted is replaced after this time at the earliest, in ms. Otherwise every call would ask the issuer. */
const REISSUE_AFTER_MS = 30_000;
/** Number of replaced credentials that stay masked in outputs. */
const KEPT = 20;

interface Current {
  readonly secret: Secret;
  readonly issuedAt: number;
  readonly renewAt: number;
  readonly expiresAt: number;
  wasAccepted: boolean;
}

/**
 * A secret that is issued when it is needed, and again before it expires or after the service refused it. All calls that wait for it share one
 * request to the issuer.
 */
export class IssuedSecret extends Masked {
  readonly #issue: Issue;
  readonly #now: () => number;
  readonly #earlier: Secret[] = [];
  #current: Current | undefined;
  #pending: Promise<Secret> | undefined;
  #failures = 0;
  #failed: { readonly error: unknown; readonly until: number } | undefined;

  constructor(issue: Issue, now: () => number = Date.now) {
    super();
    this.#issue = issue;
    this.#now = now;
  }

  get current(): Secret | undefined {
    return this.#current?.secret;
  }

  /** In ms since 1970; absent if the expiry is unknown, or if nothing was issued yet. */
  get expiresAt(): number | undefined {
    const at = this.#current?.expiresAt ?? Number.POSITIVE_INFINITY;
    return Number.isFinite(at) ? at : undefined;
  }

  /** The secret to send. Before it expires, a new one is issued in the background. @throws NotIssued */
  async fresh(): Promise<Secret> {
    const current = this.#current;
    const now = this.#now();
    if (!current || now >= current.expiresAt) return this.#issueOnce();
    // If this request fails, that matters only after the current secret has expired.
    if (now >= current.renewAt) this.#issueOnce().catch(() => {});
    return current.secret;
  }

  /**
   * A secret other than `refused`. `undefined` if the issuer gives `refused` again, or if the service would probably refuse a new secret as
   * well. @throws NotIssued
   */
  async insteadOf(refused: Secret): Promise<Secret | undefined> {
    const current = this.#current;
    if (current && current.secret !== refused) return current.secret;
    if (current && !current.wasAccepted && this.#now() < current.issuedAt + REISSUE_AFTER_MS) return undefined;
    const issued = await this.#issueOnce(refused).catch((error: unknown) => {
      // The refused secret must not be sent again, so it counts as expired.
      if (current && this.#current === current) this.#current = { ...current, expiresAt: this.#now() };
      throw error;
    });
    return issued.reveal() === refused.reveal() ? undefined : issued;
  }

  accepted(secret: Secret): void {
    if (this.#current?.secret === secret) this.#current.wasAccepted = true;
  }

  reveal(): string {
    if (!this.#current) throw new NotIssued('a credential was used before it was issued');
    return this.#current.secret.reveal();
  }

  #issueOnce(refused?: Secret): Promise<Secret> {
    this.#pending ??= this.#ask(refused).finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #ask(refused: Secret | undefined): Promise<Secret> {
    const asked = this.#now();
    if (this.#failed && asked < this.#failed.until) throw this.#failed.error;
    try {
      const { value, expiresAt = Number.POSITIVE_INFINITY } = await this.#issue(refused);
      this.#failures = 0;
      this.#failed = undefined;
      return this.#take(value, asked, expiresAt);
    } catch (error) {
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures++, LONGEST_PAUSE_MS);
      this.#failed = { error, until: this.#now() + pause };
      throw error;
    }
  }

  #take(value: string, issuedAt: number, expiresAt: number): Secret {
    const same = this.#current?.secret.reveal() === value ? this.#current : undefined;
    const secret = same?.secret ?? new Secret(value);
    if (!same && this.#current) this.#earlier.push(this.#current.secret);
    this.#earlier.splice(0, this.#earlier.length - KEPT);
    const margin = Math.min((expiresAt - issuedAt) / 5, LONGEST_MARGIN_MS);
    this.#current = {
      secret,
      issuedAt,
      // If the clock of this machine is ahead, each new credential seems to have expired. It counts as valid for a short time all the same,
      // so that not every call asks the issuer.
      renewAt: Math.max(expiresAt - margin, issuedAt + FIRST_PAUSE_MS),
      expiresAt: Math.max(expiresAt, issuedAt + FIRST_PAUSE_MS),
      wasAccepted: same?.wasAccepted ?? false,
    };
    return secret;
  }
}

/** When a JSON Web Token expires, by its `exp`: in ms since 1970; `undefined` for any other text. Nothing is verified. */
export function expiryInToken(token: string): number | undefined {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token) ?? [];
  const { exp } = fieldsIn(payload && Buffer.from(payload, 'base64url').toString());
  return typeof exp === 'number' && exp > 0 && exp < 1e11 ? exp * 1000 : undefined;
}
