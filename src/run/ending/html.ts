/** HTML in which all values are escaped. Only `html` creates instances. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | false | null | undefined | readonly Part[];

/** A template tag that escapes its values, except values that are `Markup`. `false` and `undefined` render nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((text, string, index) => text + textOf(parts[index - 1]) + string));
}

function textOf(part: Part): string {
  if (part === undefined || part === null || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return escapeText(String(part));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML and XML, and replaces characters that XML doesn't allow. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']|[^\P{Cc}\t\n\r]/gu, (c) => entities[c] ?? '\ufffd');
}
