/** A call that the suite itself got wrong, found before anything was sent. It says nothing about the service. */
export class SuiteFault extends Error {}
