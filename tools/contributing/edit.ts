/** A change of one file, whose path is relative to the root. */
export interface Edit {
  readonly file: string;
  /**
   * Returns the new text; `undefined` stands for a file that doesn't exist yet. `read` reads another file.
   * @throws when the old text is not as expected.
   */
  readonly change: (text: string | undefined, read: (file: string) => string) => string;
}

/** Inserts `added` before the first `marker` of a file. */
export function insert(file: string, marker: string, added: string): Edit {
  return {
    file,
    change: (text) => {
      if (!text?.includes(marker)) throw new Error(`${file} doesn't contain ${marker}`);
      return text.replace(marker, () => added + marker);
    },
  };
}

/** Inserts `added` after the first `marker` of a file. */
export function append(file: string, marker: string, added: string): Edit {
  const { change } = insert(file, marker, '');
  return { file, change: (text, read) => change(text, read).replace(marker, () => marker + added) };
}

export function create(file: string, content: string): Edit {
  return made(file, () => content);
}

export function copyOf(original: string, file: string): Edit {
  return made(file, (read) => read(original));
}

function made(file: string, content: (read: (file: string) => string) => string): Edit {
  return {
    file,
    change: (text, read) => {
      if (text !== undefined) throw new Error(`${file} is there already`);
      return content(read);
    },
  };
}
