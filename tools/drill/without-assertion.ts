/** A spec's source without one of its assertions. */
export interface Mutant {
  /** 1-based. */
  readonly line: number;
  /** Title of the scenario that it stands in. */
  readonly title: string;
  /** What was taken out, on one line. */
  readonly removed: string;
  readonly source: string;
}

/** What a judgement is replaced by: it takes whatever comes. */
export const ANYTHING = 'anything';

/**
 * One mutant for each assertion of a spec: an `expect` is dropped, a judgement takes anything. Clean-up that `defer`
 * declares asserts nothing.
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

/** The end of `(…).name(…).name(…)`, from its first parenthesis on; texts in quotes may hold any. */
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
