import { stripVTControlCharacters } from 'node:util';
import { type Cause, causeLine } from '../scenario/index.ts';

/** A failure at a line of a file. */
export interface Annotated {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly title: string;
  readonly message: string;
}

/** GitHub's command that shows a failure beside its line. */
export function githubAnnotation({ file, line, title, message }: Annotated): string {
  return `::error file=${property(file)},line=${line},title=${property(title)}::${data(message)}`;
}

/** The annotation of a cause, at the line of the test that shows it best; `message` is what that test says. */
export function causeAnnotation(cause: Cause, at: Pick<Annotated, 'file' | 'line'>, message: string): string {
  const title = `${cause.environment}: ${causeLine(cause)}`;
  return githubAnnotation({ ...at, title, message: `${cause.example.title}\n${stripVTControlCharacters(message)}` });
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
