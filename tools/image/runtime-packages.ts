/** What package-lock.json has of each package. */
interface Locked {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
}

/** The folders that `npm ci --omit=dev --omit=optional` installs; a link is the project's own launcher. */
export function runtimePackages(lock: { readonly packages: Readonly<Record<string, Locked>> }): string[] {
  return Object.entries(lock.packages)
    .filter(([path, { dev, optional, devOptional, link }]) => {
      return path.startsWith('node_modules/') && !dev && !optional && !devOptional && !link;
    })
    .map(([path]) => path);
}
