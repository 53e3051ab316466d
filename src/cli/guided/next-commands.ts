/** The commands to go on with. */
export function nextCommands(name: string): string {
  return [
    'Go on with',
    `  npx sextant check --env ${name}`,
    `  npx sextant environments check ${name}    (what a run would send)`,
    `  npx sextant survey --env ${name}    (what the specification leaves open)`,
  ].join('\n');
}
