/** The paths in the numbered steps of each "Add …" section of CONTRIBUTING, by heading without `Add `. */
export function stepsOf(page: string): Map<string, string[][]> {
  const sections = page.split(/^## Add /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [heading = '', ...lines] = section.split(/\n(?=## )/)[0]?.split('\n') ?? [];
      const steps = lines.join('\n').match(/^\d+\. .*(\n {3}.*)*/gm) ?? [];
      return [
        heading,
        steps.map((step) => [...step.matchAll(/`([\w-]+\/[\w./*<>-]*)`/g)].map(([, path = '']) => path)),
      ];
    }),
  );
}

/** Whether a step with `path` covers a file: the file itself, one in the folder, or one that matches the pattern. */
export function covers(path: string, file: string): boolean {
  const pattern = path.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\*|<\w+>/g, '[^/]+');
  return new RegExp(`^${pattern}${path.endsWith('/') ? '.+' : '$'}`).test(file);
}
