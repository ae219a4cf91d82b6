// Parses dates in HTTP headers (RFC 9110, section 5.6.7). Takes only the form that servers send today, because
// JavaScript's own parser takes far more.

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Epoch ms; `undefined` for text that is no such date. */
export function parseHttpDate(text: string): number | undefined {
  const epochMs = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(epochMs) ? undefined : epochMs
}
