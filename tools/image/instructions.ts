/** One instruction of a Dockerfile, with its text in one line. */
export interface Instruction {
  /** Upper case, e.g. `COPY`. */
  readonly name: string;
  readonly text: string;
}

/** The instructions of a Dockerfile, by stage: those before the first FROM, and those of each stage. */
export function stagesOf(dockerfile: string): Instruction[][] {
  const lines = dockerfile
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n');
  const stages: Instruction[][] = [[]];
  for (const line of lines.filter((each) => each.trim() !== '')) {
    const [, name = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text });
  }
  return stages;
}

/** The variables of an ENV or LABEL instruction, with `${NAME}` of `given` put in. */
export function pairsOf({ text }: Instruction, given: Readonly<Record<string, string>> = {}): Record<string, string> {
  const pairs = [...text.matchAll(/([\w.]+)=("[^"]*"|\S+)/g)];
  const filled = (value: string) =>
    value.replace(/^"|"$/g, '').replace(/\$\{(\w+)\}/g, (_, name: string) => given[name] ?? '');
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, filled(value)]));
}
