/** What a block of a declarative Jenkinsfile may contain; blocks that aren't listed hold steps. */
const children: Readonly<Record<string, readonly string[]>> = {
  '': ['pipeline'],
  pipeline: ['agent', 'options', 'environment', 'triggers', 'parameters', 'tools', 'stages', 'post'],
  stages: ['stage'],
  stage: ['agent', 'options', 'environment', 'when', 'input', 'stages', 'parallel', 'matrix', 'steps', 'post'],
  matrix: ['axes', 'excludes', 'agent', 'options', 'environment', 'stages', 'post'],
  axes: ['axis'],
  post: [
    'always',
    'success',
    'failure',
    'unstable',
    'aborted',
    'cleanup',
    'changed',
    'fixed',
    'regression',
    'unsuccessful',
  ],
};

/** What these blocks can't do without. */
const required: Readonly<Record<string, readonly string[]>> = {
  pipeline: ['agent', 'stages'],
  matrix: ['axes', 'stages'],
};

/** The problems of a declarative Jenkinsfile's structure, a line each. npm has no parser for it that needs no Java. */
export function jenkinsfileProblems(text: string): string[] {
  const bare = text
    .replaceAll(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, "''")
    .replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, '');
  const problems: string[] = [];
  const open: { readonly name: string; readonly found: string[] }[] = [{ name: '', found: [] }];
  for (const { groups } of bare.matchAll(
    /(?<name>\b[a-zA-Z]+\b)[^\S\n]*(?:\([^()\n]*\))?[^\S\n]*(?<brace>\{)?|(?<end>\})/g,
  )) {
    const parent = open.at(-1);
    if (!parent) break;
    if (groups?.end) {
      const { name, found } = parent;
      const lacking = (required[name] ?? []).filter((each) => !found.includes(each));
      if (lacking.length > 0) problems.push(`${name} lacks ${lacking.join(', ')}`);
      open.pop();
    } else if (groups?.name && groups.brace) {
      const { name } = groups;
      const allowed = children[parent.name];
      if (allowed && !allowed.includes(name)) problems.push(`${parent.name || 'the file'} can't contain ${name}`);
      parent.found.push(name);
      open.push({ name, found: [] });
    } else if (groups?.name) parent.found.push(groups.name);
  }
  if (open.length !== 1) problems.push('its braces are not balanced');
  for (const [a, b] of ['()', '[]'].map((pair) => [...pair] as [string, string]))
    if (bare.split(a).length !== bare.split(b).length) problems.push(`${a} and ${b} are not balanced`);
  return problems;
}
