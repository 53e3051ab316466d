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

/** Postman's own library; its types are not where its package says. */
declare module 'postman-collection' {
  interface Written {
    toJSON(): unknown;
  }
  interface KeyValue {
    readonly key: string;
    readonly value: string;
  }
  interface Request {
    readonly method: string;
    readonly url: { toString(): string };
    readonly headers: { map<T>(each: (header: KeyValue) => T): T[] };
    readonly body?: { readonly raw?: string };
  }
  interface Read {
    forEachItem(each: (item: { readonly request: Request }) => void): void;
    readonly variables: { map<T>(each: (variable: KeyValue) => T): T[] };
  }
  const postman: {
    readonly Collection: new (definition: object) => Written & Read;
    readonly VariableScope: new (definition: object) => Written & { get(name: string): unknown };
  };
  export default postman;
}
