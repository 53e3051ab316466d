import { redact } from '../client/index.ts';
import { appendText, fileRoles } from '../config/files/index.ts';

/** Adds Markdown to a run's own page, and to the job's page where the pipeline has one that is a file (GitHub). */
export function addToJobPage(markdown: string, file: string | undefined, env = process.env): void {
  const text = redact(markdown);
  if (file) appendText(file, text, fileRoles.page);
  const job = env.GITHUB_STEP_SUMMARY;
  if (job) appendText(job, text, { what: 'GITHUB_STEP_SUMMARY' });
}
