/** A port that the service needs is in use. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
}
