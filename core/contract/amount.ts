// Owns the spelling of an amount at every boundary. There is only one spelling (docs/decisions/0002). A figure of the service
// that is spelled otherwise is marked, and kept as a text.

/** Plain decimal: at most 30 digits before the point and 18 after. No sign, exponent, space or leading zero. */
export const AMOUNT_PATTERN = /^(0|[1-9][0-9]{0,29})(\.[0-9]{1,18})?$/

/** Describes the expected spelling to a person whose amount does not match. */
export const AMOUNT_EXPECTATION =
  'a plain decimal string such as "12.5" (at most 30 digits before the point and 18 after, no sign, no exponent)'

/** Begins the text of a figure that the service wrote in another notation. The rest is short, of letters and digits. */
export const UNREADABLE = 'unreadable: '
