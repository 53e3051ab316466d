import { ConfigurationError } from '../../config/index.ts';

const reserved =
  /^(break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|import|in|instanceof|new|null|return|super|switch|this|throw|true|try|typeof|var|void|while|with|yield|let|static|await|async|package|private|protected|public|interface|implements|eval|arguments)$/;

/**
 * A name that can stand in the code.
 * @throws ConfigurationError
 */
export function identifier(what: string, name: string, pattern: RegExp, example: string): string {
  if (pattern.test(name) && name.length <= 60 && !reserved.test(name)) return name;
  throw new ConfigurationError(
    `${JSON.stringify(name.slice(0, 80))} can't be the name of ${what}; expected: letters and digits, like ${example}.`,
  );
}

/** `pinStory` as `pin-story`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `pinStory` as `Pin story`. */
export function words(name: string): string {
  const text = kebab(name).replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A line of code that biome would leave on one line. */
export const fits = (line: string) => line.length <= 120;
