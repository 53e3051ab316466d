import { outputComplaints } from '../outputs/complaints.ts';
import { sourceOf, textsOf } from '../sources.ts';
import { layerComplaints } from './complaints.ts';
import { importsOf } from './imports-of.ts';

/** Problems with what files import, and which ways out they open; each with its place and cure. */
export function sourceComplaints(texts: ReadonlyMap<string, string> = textsOf('**/*.ts')): string[] {
  const sources = [...texts].map(([file, text]) => sourceOf(file, text));
  return [...layerComplaints([...texts.keys()], sources.flatMap(importsOf)), ...outputComplaints(sources)];
}
