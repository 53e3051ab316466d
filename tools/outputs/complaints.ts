import { outputs } from './allowed.ts';
import { outputsOf } from './outputs-of.ts';

const LIST = 'tools/outputs/allowed.ts';

/** Problems with the program's outputs, from its sources, each with its place and cure. */
export function outputComplaints(texts: ReadonlyMap<string, string>): string[] {
  const used = new Set<string>();
  const complaints: string[] = [];
  for (const [file, text] of texts)
    for (const { line, what } of outputsOf(file, text)) {
      used.add(file);
      if (file in outputs) continue;
      complaints.push(
        `${file}:${line}: ${what} is a way out of the program for which nothing says that secrets are masked. Write files with replaceText and appendText, which take what redact gives; or add a line to ${LIST} that says why no secret can leave here.`,
      );
    }
  const stale = Object.keys(outputs).filter((file) => !used.has(file));
  return [...complaints, ...stale.map((file) => `${file}: it has no way out any more. Take its line out of ${LIST}.`)];
}
