/** Whether a text is data that Sextant generated, in this run or in another. */
export function isMadeBySuite(text: string): boolean {
  return /sextant(-| ?([0-9a-z]{4}|[0-9a-z]{6})\b)/i.test(text);
}
