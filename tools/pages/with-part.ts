/** Replaces the text between the marks `<!-- name -->` and `<!-- /name -->`. */
export function withPart(text: string, name: string, part: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no ${start} … ${end}`);
  return `${text.slice(0, from)}${start}\n${part}\n${text.slice(to)}`;
}
