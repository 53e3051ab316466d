/** The names of a value's fields, down to the leaves: `{error: {code, message}}`. */
export function namesOf(value: unknown, depth = 0): string {
  if (Array.isArray(value)) return '[…]';
  if (typeof value !== 'object' || value === null) return depth === 0 ? JSON.stringify(value) : '';
  const fields = Object.entries(value).map(([name, child]) => {
    const inner = depth < 3 ? namesOf(child, depth + 1) : '';
    return inner ? `${name}: ${inner}` : name;
  });
  return `{${fields.join(', ')}}`;
}
