/** Whether a content type is JSON: `application/json`, `application/problem+json; charset=utf-8`. */
export function isJsonType(contentType: string | undefined): boolean {
  return contentType !== undefined && /[/+]json\b/i.test(contentType);
}
