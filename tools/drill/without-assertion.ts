/** A spec's source without one of its assertions. */
export interface Mutant {
  /** 1-based. */
  readonly line: number;
  /** Title of its scenario. */
  readonly title: string;
  /** The removed code, on one line. */
  readonly removed: string;
  readonly source: string;
}

/** Replacement for a judgement: it accepts any result. */
export const ANYTHING = 'anything';

/**
 * One mutant per assertion of a spec: an `expect` is dropped, a judgement accepts anything. Clean-up in `defer`
 * asserts nothing.
 */
export function withoutEachAssertion(source: string): Mutant[] {
  const sites = [...source.matchAll(/\bexpect\(|\.(succeeds|settles|repeats|isRefused|eventually)\(/g)];
  return sites.flatMap((site) => {
    const start = site.index;
    if (isCleanUp(source, start)) return [];
    const isExpect = site[0] === 'expect(';
    const end = isExpect ? endOfChain(source, start + 'expect'.length) : start + site[0].length;
    const replacement = isExpect ? 'undefined' : `.${ANYTHING}(`;
    const shown = isExpect ? source.slice(start, end) : source.slice(start, endOfChain(source, end - 1));
    return [
      {
        line: source.slice(0, start).split('\n').length,
        title: titleBefore(source, start),
        removed: shown.replace(/\s+/g, ' ').slice(0, 110),
        source: source.slice(0, start) + replacement + source.slice(end),
      },
    ];
  });
}

function isCleanUp(source: string, at: number): boolean {
  const line = source.slice(source.lastIndexOf('\n', at) + 1, at);
  return line.includes('defer(');
}

function titleBefore(source: string, at: number): string {
  const titles = [...source.slice(0, at).matchAll(/\bscenario\(\s*'((?:[^'\\]|\\.)*)'/g)];
  return titles.at(-1)?.[1] ?? '';
}

/** The end of `(…).name(…).name(…)`, starting at its first parenthesis; quoted text may contain any character. */
function endOfChain(source: string, from: number): number {
  const part =
    /\((?:[^()'"`]|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|\((?:[^()'"`]|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|\([^()]*\))*\))*\)/y;
  const link = /\s*\.\w+/y;
  let end = from;
  for (;;) {
    part.lastIndex = end;
    const matched = part.exec(source);
    if (matched) end = part.lastIndex;
    link.lastIndex = end;
    if (!link.exec(source)) return end;
    end = link.lastIndex;
  }
}
