const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for HTML, XML and Markdown. */
export function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => entities[character] as string);
}

/** Escapes a text for an attribute of HTML or XML. */
export function attributeText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] as string);
}
