// Lists naive variants of what is compared with the request: quotes, orders, and their audit.
import { amid, type Edit, edit, mutant, type SimulatedMutant } from '../mutant.ts'
import { AS_ASKED, ORDER } from './texts.ts'

const inQuotes = (about: string, ...edits: Edit[]) => amid(['quotes'], mutant('convert', about, ...edits))

export const QUOTE_MUTANTS: Readonly<Record<string, SimulatedMutant>> = {
  'quote-believes-the-service': inQuotes(
    'passes on whatever is quoted',
    edit('functions/quote/quote.ts', 'if (difference) return rejected(difference)', ''),
  ),
  'order-believes-the-quote': inQuotes(
    'executes whatever quote it receives',
    edit(ORDER, 'if (difference) return end(', 'if (false) return end('),
  ),
  'quote-of-another-market': inQuotes(
    'takes a quote of any market',
    edit(AS_ASKED, 'if (!isMarketOf(shown.market, frozen))', 'if (false)'),
  ),
  'quote-of-another-amount': inQuotes(
    'takes a quote of any amount',
    edit(AS_ASKED, 'return amountDifference(leg, amount, frozen.amount)', 'return undefined'),
  ),
  'market-to-the-letter': inQuotes(
    'refuses a market that is spelled in another way',
    edit(AS_ASKED, 'names.some((name) => sameCode(name, named.trim()))', 'names[0] === named'),
  ),
  'order-is-what-it-is': inQuotes(
    'judges an order by its end alone, whatever it converted',
    edit(
      'core/movements/conversion/report.ts',
      'isOpened(intent) ? findOrderDifference(order, intent)',
      'false ? undefined',
    ),
  ),
  'order-of-any-side': inQuotes(
    'does not look at the side of an order',
    edit(AS_ASKED, 'if (!sameCode(order.side, params.side))', 'if (false)'),
  ),
  'order-of-any-assets': inQuotes(
    'looks at the market of an order, and not at its assets',
    edit(AS_ASKED, "assetDifference('base asset', order.baseAsset, frozen.baseAsset) ??", ''),
  ),
  'audit-believes-the-order': inQuotes(
    'audits the fills of an order, and not what it converted',
    edit('core/audit/judge-movement.ts', 'findOtherOrder(order, intent) ??\n', ''),
  ),
}
