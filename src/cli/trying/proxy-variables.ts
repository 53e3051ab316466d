const NAMES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of a process that name a proxy, as they are written there. Their values may hold a password, so they are not given. */
export function proxyVariables(env: Variables = process.env): string[] {
  return NAMES.flatMap((name) => [name, name.toLowerCase()]).filter((name) => env[name]);
}
