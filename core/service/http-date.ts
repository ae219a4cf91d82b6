// Owns the form of a date in an HTTP header (RFC 9110, section 5.6.7), and takes only the one that is sent today.
// JavaScript's own parser takes much more for a date.

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Epoch ms; undefined for what is no date. */
export function parseHttpDate(text: string): number | undefined {
  const epochMs = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(epochMs) ? undefined : epochMs
}
