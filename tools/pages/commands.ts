import { textsOf } from '../sources.ts';

/** A command of a page, as a reader would type it. */
export interface PageCommand {
  readonly page: string;
  /** The line of the page, counted from 1. */
  readonly line: number;
  /** The language of the code block; `sh` for a command in a sentence. */
  readonly language: string;
  readonly text: string;
  /** The reason why no test tries the command, if the page gives one. */
  readonly notTried?: string;
}

/** The languages of code blocks that contain commands. */
const LANGUAGES = ['sh', 'shell', 'console', 'bat', 'powershell', 'crontab', 'ini'];

/** Matches the beginning of a command in a sentence. The name of a program alone is no command. */
const TYPED =
  /^(?:\w+=\S+ )*(?:npx(?= (?:-\S+ )?\w)|npm|node|git|gh|curl|docker|kubectl|promtool|prometheus|alertmanager|\S+\/\.bin\/sextant) /;

/**
 * Marks a command that no test tries: `<!-- not tried: REASON -->` before a block, or after code in a sentence. A line in a block has the
 * comment `# not tried: REASON` instead.
 */
const MARK = /<!-- not tried: (.+?) -->/;
const ONLY_MARK = new RegExp(`^\\s*${MARK.source}$`);

/** The commands of the pages for readers, without the list of the program's own messages. */
export function pageCommands(): PageCommand[] {
  const pages = [...textsOf(['README.md', 'CONTRIBUTING.md', 'docs/**/*.md'])];
  return pages.flatMap(([page, text]) => (page === 'docs/reference/messages.md' ? [] : commandsOf(page, text)));
}

export function commandsOf(page: string, text: string): PageCommand[] {
  const found: PageCommand[] = [];
  const lines = text.split('\n');
  let block: { language: string; notTried: string | undefined } | undefined;
  for (let index = 0; index < lines.length; index++) {
    const place = { page, line: index + 1 };
    let line = lines[index]?.trim() ?? '';
    const [fence, language = ''] = /^```(\w*)/.exec(line) ?? [];
    if (fence !== undefined) {
      const before = lines.slice(0, index).findLast((each) => each.trim() !== '') ?? '';
      block = block ? undefined : { language, notTried: ONLY_MARK.exec(before)?.[1] };
    } else if (!block) {
      for (const [, code = '', after = ''] of line.matchAll(/`([^`]+)`( <!-- .+? -->)?/g))
        if (isCommand(code)) found.push({ ...place, language: 'sh', text: code, ...marked(MARK.exec(after)?.[1]) });
    } else if (LANGUAGES.includes(block.language)) {
      while (line.endsWith('\\')) line = `${line.slice(0, -1)}${lines[++index]?.trim()}`;
      const [, typed = '', comment = ''] = /^((?:'[^']*'|"[^"]*"|[^'"#])*)(?:# (.*))?$/.exec(line) ?? [];
      const notTried = /^not tried: (.+)/.exec(comment)?.[1] ?? block.notTried;
      if (isTyped(typed, block.language))
        found.push({ ...place, language: block.language, text: typed.trim(), ...marked(notTried) });
    }
  }
  return found;
}

const marked = (notTried: string | undefined) => (notTried ? { notTried } : {});

/** Code with a gap (…) is no command, and the name of a sub-command alone (`docker stop`) is none. */
const isCommand = (code: string) => TYPED.test(code) && !/…|^(?!npm )\w+ \w+$/.test(code);

function isTyped(line: string, language: string): boolean {
  if (language === 'ini') return line.startsWith('ExecStart=');
  return line.trim() !== '' && !/^sextant .*(\[options\]|<)/.test(line);
}
