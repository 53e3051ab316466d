/** Elements of a piece. */
const ELEMENTS = 100;

/** The JSON of an object in pieces of bounded size: its long arrays are cut between two elements. */
export function jsonPieces(value: object): string[] {
  const pieces = Object.entries(value).flatMap(([name, member], index) => {
    const start = `${index > 0 ? ',' : '{'}${JSON.stringify(name)}:`;
    if (!Array.isArray(member) || member.length <= ELEMENTS) return [start + JSON.stringify(member)];
    const parts = Array.from({ length: Math.ceil(member.length / ELEMENTS) }, (_, part) => {
      const elements = member.slice(part * ELEMENTS, (part + 1) * ELEMENTS);
      return (part > 0 ? ',' : '') + JSON.stringify(elements).slice(1, -1);
    });
    return [`${start}[`, ...parts, ']'];
  });
  return pieces.length > 0 ? [...pieces, '}'] : ['{}'];
}
