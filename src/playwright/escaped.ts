const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for HTML, XML and Markdown. */
export function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => entities[character] as string);
}

/** The same where it may stand in an attribute. */
export function attributeText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] as string);
}
