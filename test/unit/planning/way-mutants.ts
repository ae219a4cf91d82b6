// Lists naive variants of the choice of a path. The judge of random portfolios must catch each of them.
import { edit, type Mutant } from '../../mutants/source-edits.ts'

const FLOWS = 'core/planning/conversions/flows.ts'
const WAYS = 'core/planning/conversions/ways.ts'
const INDEX = 'core/planning/market/market-index.ts'
const CONTEXT = 'core/planning/planning-context.ts'
const RATES = 'core/planning/market/rates.ts'

export const WAY_MUTANTS: Readonly<Record<string, Mutant>> = {
  'first-hub-always': {
    about: 'goes through the first hub that there is, whatever it costs',
    edits: [
      edit(
        FLOWS,
        'compareYields(right.brings, left.brings)',
        'Number(left.way.hub === undefined) - Number(right.way.hub === undefined)',
      ),
    ],
  },
  'own-market-is-ignored': {
    about: 'passes by the market of two assets of which none is a hub',
    edits: [
      edit(
        WAYS,
        'findHops(gives, brings).map((first) => ({ first }))',
        'findHops(gives, brings).filter(() => hubs.includes(gives) || hubs.includes(brings)).map((first) => ({ first }))',
      ),
    ],
  },
  'own-market-always': {
    about: 'takes the market of the two assets, whatever it costs',
    edits: [
      edit(
        FLOWS,
        'compareYields(right.brings, left.brings)',
        'Number(left.way.hub !== undefined) - Number(right.way.hub !== undefined)',
      ),
    ],
  },
  'size-is-ignored': {
    about: 'compares ways by the prices of the smallest sizes',
    edits: [
      edit(
        CONTEXT,
        "const units = price === null || price === 0n ? ZERO : divide(capped, price, 'down')",
        'const units = capped && ZERO',
      ),
    ],
  },
  'one-leg-counts': {
    about: 'compares ways by what their first conversion costs',
    edits: [edit(FLOWS, 'brings: yieldOfWay(pricedAt(way, value))', 'brings: pricedAt(way, value)?.first.brings')],
  },
  'one-direction-only': {
    about: 'knows one of two markets between the same assets',
    edits: [edit(INDEX, "[hop(sells, 'SELL'), hop(buys, 'BUY')]", "[hop(sells, 'SELL')]")],
  },
  'one-way-is-priced': {
    about: 'asks for the prices of one way only',
    edits: [edit(FLOWS, 'const hop of new Set(ranked.flatMap(', 'const hop of new Set(ranked.slice(0, 1).flatMap(')],
  },
  'refused-size-is-priced': {
    about: 'takes the price of another size where the service tells none',
    edits: [edit(RATES, 'if (prices === undefined) return undefined', 'if (prices?.length !== -1) return undefined')],
  },
}
