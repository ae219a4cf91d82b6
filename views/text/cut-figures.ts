// Cuts figures to what people read, never rounding up. It works on their digits alone, because help texts load it and must
// not load a library of decimals. Pure.

/** Decimal places of money that people read, and of a share in percent. */
const CENTS = 2

/** How a figure is cut for people: `cents` for money and percent, `digits` for amounts of assets and rates. */
export type Cut = 'cents' | 'digits' | 'nowhere'

/** Digits of an amount of an asset that people read. */
export const AMOUNT_DIGITS = 6

interface CutFigure {
  readonly text: string
  /** Whether digits other than zeros are left out. */
  readonly isCut: boolean
}

/**
 * A figure as people read it: cut, never rounded up. `digits` keeps six digits, and at least the cents. A figure below
 * the smallest that is shown reads `<0.01`. With `nowhere`, and for other text, nothing is cut.
 */
export function readable(figure: string, by: Cut = 'digits'): string {
  return cutFigure(figure, by).text
}

function cutFigure(figure: string, by: Cut): CutFigure {
  const [, sign = '', digits = '', decimals = ''] = /^([-+]?)([0-9]+)(?:\.([0-9]+))?$/.exec(figure) ?? []
  if (by === 'nowhere' || digits === '') return { text: figure, isCut: false }
  const whole = digits.replace(/^0+(?=[0-9])/, '')
  // Zeros before the first digit of a small amount do not count.
  const before = whole === '0' ? -(/^0*/.exec(decimals)?.[0].length ?? 0) : whole.length
  const places = by === 'cents' ? CENTS : Math.max(CENTS, AMOUNT_DIGITS - before)
  const isCut = /[1-9]/.test(decimals.slice(places))
  const kept = decimals.slice(0, places).replace(/0+$/, '')
  if (isCut && whole === '0' && kept === '') return { text: `${sign === '-' ? '>-' : '<'}0.01`, isCut: false }
  return { text: `${sign}${whole}${kept === '' ? '' : `.${kept}`}`, isCut }
}

/**
 * The same for a terminal, where no title has the other digits: `…` shows that an amount or a rate has more. Cents are
 * values and shares, which everybody knows as rounded.
 */
export function readableMarked(figure: string, by: Cut = 'digits'): string {
  const { text, isCut } = cutFigure(figure, by)
  if (!isCut || by === 'cents') return text
  // Behind a whole number the mark could stand for further digits before the point.
  return `${text.includes('.') ? text : `${text}.00`}…`
}

/** Digits of an amount in a sentence on a terminal; the record and --json have all of them. */
export const READ_DIGITS = 8
/** An amount of money shows its cents, however large it is. */
const LEAST_PLACES = 2

/** Matches an amount with decimals before the code of its asset. */
const LONG_AMOUNT_IN_TEXT = /(?<![\w.,:/-])([0-9]+)\.([0-9]{3,})(?= [A-Z][A-Z0-9]{1,11}\b)/g

/** Matches any other number with more than eight decimals, such as a rate, but no id. Zeros at its beginning do not count. */
const LONG_NUMBER_IN_TEXT =
  /(?<![\w.,:/-])(?<!\b(?:order|withdrawal|intent|run|id) )([0-9]+)\.([0-9]{9,})(?![\w…-]|\.\w)/g

/** `31975.550991413306 USD is more than 5000` → `31975.550… USD is more than 5000`. An amount of eight digits stays whole. */
export function shortened(text: string, digits = READ_DIGITS): string {
  const cut = text.replace(LONG_AMOUNT_IN_TEXT, (amount, whole: string, decimals: string) => {
    // Zeros before the first digit of a small amount do not count.
    const leading = whole === '0' ? (/^0*/.exec(decimals)?.[0].length ?? 0) : -whole.length
    const places = Math.max(LEAST_PLACES, digits + leading)
    return decimals.length <= places ? amount : `${whole}.${decimals.slice(0, places)}…`
  })
  return cut.replace(LONG_NUMBER_IN_TEXT, (number, whole: string, decimals: string) => {
    const few = /^0*[0-9]{1,8}/.exec(decimals)?.[0] ?? ''
    return few === decimals ? number : `${whole}.${few}…`
  })
}
