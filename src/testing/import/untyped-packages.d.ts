/** Bruno's own reader and writer of its markup, as far as tests use it; the package has no types. */
declare module '@usebruno/lang' {
  const lang: {
    readonly jsonToBruV2: (request: object) => string;
    readonly envJsonToBruV2: (environment: object) => string;
    readonly jsonToCollectionBru: (collection: object) => string;
  };
  export default lang;
}

/** Postman's own library; its types are not where its package says. */
declare module 'postman-collection' {
  interface Written {
    toJSON(): unknown;
  }
  const postman: {
    readonly Collection: new (definition: object) => Written;
    readonly VariableScope: new (definition: object) => Written;
  };
  export default postman;
}
