/**
 * The type that a request's curl line is attached under. Playwright's console prints every attached text of a failed
 * test, and the failure's message has the line already; the report shows it as the text that it is.
 */
export const CURL_ATTACHMENT = 'application/vnd.sextant.curl';
