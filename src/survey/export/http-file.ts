import type { ExportedEnvironment, ExportedRequest } from './exported-requests.ts';

/** A file for the HTTP clients of JetBrains' editors and of VS Code (REST Client). */
export function httpFile({ name, variables, secrets, requests }: ExportedEnvironment): string {
  const missing = variables.filter(({ value }) => value === '').map((variable) => variable.name);
  const head = [
    `# ${name}: the operations of the specification, written by \`sextant export\`.`,
    `# ${secrets.join(' and ')} are not in this file. Define them where your editor keeps private variables:`,
    '# JetBrains: http-client.private.env.json. VS Code: "rest-client.environmentVariables" in the settings.',
    ...(missing.length > 0 ? [`# To be filled in, because ${name} has none: ${missing.join(', ')}.`] : []),
  ];
  const values = variables.map((variable) => `@${variable.name} = ${variable.value}`);
  return `${[head.join('\n'), values.join('\n'), ...requests.map(requestText)].join('\n\n')}\n`;
}

function requestText({ id, title, description, method, url, headers, body }: ExportedRequest): string {
  const lines = [
    `### ${title}`,
    `# @name ${id}`,
    `# ${description}`,
    `${method} ${url}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return body === undefined ? lines.join('\n') : `${lines.join('\n')}\n\n${body}`;
}
