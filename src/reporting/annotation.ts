import { stripVTControlCharacters } from 'node:util';
import { type Cause, causeLine } from '../scenario/index.ts';

/** GitHub's command that shows a cause beside a line, from 1: that of the test that shows it best; `message` is what that test says. */
export function causeAnnotation(cause: Cause, at: { readonly file: string; readonly line: number }, message: string) {
  const title = `${cause.environment}: ${causeLine(cause)}`;
  const text = `${cause.example.title}\n${stripVTControlCharacters(message)}`;
  return `::error file=${property(at.file)},line=${at.line},title=${property(title)}::${data(text)}`;
}

/** The line of a spec that declares a title, from 1; the first one for a title that is put together. */
export function lineOfTitle(spec: string, title: string): number {
  const index = spec
    .split('\n')
    .findIndex((text) => ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`)));
  return index + 1 || 1;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
