/** A port that the service needs is in use. Apart from what finds ports, for the command line's start needs it alone. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
}
