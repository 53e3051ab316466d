/** Bruno's own reader and writer of its markup, as far as tests use it; the package has no types. */
declare module '@usebruno/lang' {
  const lang: {
    readonly jsonToBruV2: (request: object) => string;
    readonly envJsonToBruV2: (environment: object) => string;
    readonly jsonToCollectionBru: (collection: object) => string;
    readonly bruToJsonV2: (text: string) => unknown;
    readonly bruToEnvJsonV2: (text: string) => unknown;
  };
  export default lang;
}
