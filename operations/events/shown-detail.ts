// Selects the fields of an event's detail that a person may see: those of requests, and of AWS's events about
// executions. Other fields are only named, because anybody may have put anything into an event, even a secret. Pure.

/**
 * Fields of requests of conversions and withdrawals, and of runs (core/contract/convert.ts, withdraw.ts, events.ts).
 */
const KNOWN = new Set([
  ...['version', 'id', 'policy', 'request'],
  ...['baseAsset', 'quoteAsset', 'side', 'amountAsset', 'amount', 'worstRate', 'most', 'maxSlippageBps', 'plannedRate'],
  ...['keep', 'notAfter', 'run', 'requestId'],
  ...['assetSymbol', 'feeMode', 'contactId', 'contactReference'],
])
/** Fields of an AWS event about an execution. */
const OF_EXECUTIONS = new Set(['executionArn', 'stateMachineArn', 'name', 'status', 'startDate', 'stopDate'])

const MOST_CHARS = 200
const MOST_NAMED = 20

interface ShownDetail {
  readonly shown: Readonly<Record<string, unknown>>
  /** Names of some fields that are not shown. */
  readonly withheld: readonly string[]
}

export function shownDetail(detail: unknown): ShownDetail {
  const withheld: string[] = []
  const known = (name: string, isInner: boolean) => KNOWN.has(name) || (!isInner && OF_EXECUTIONS.has(name))
  const walk = (value: object, at: string): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]) => {
        if (known(name, at !== '') && isPlain(inner)) return [[name, shortened(inner)]]
        if (name === 'request' && at === '' && isRecord(inner)) return [[name, walk(inner, `${name}.`)]]
        withheld.push(`${at}${shortened(name)}`)
        return []
      }),
    )
  const shown = isRecord(detail) ? walk(detail, '') : {}
  if (detail !== undefined && !isRecord(detail)) withheld.push('detail')
  const more = withheld.length - MOST_NAMED
  return { shown, withheld: more > 0 ? [...withheld.slice(0, MOST_NAMED), `and ${more} more`] : withheld }
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shortened(value: unknown): unknown {
  return typeof value === 'string' && value.length > MOST_CHARS ? `${value.slice(0, MOST_CHARS)}…` : value
}
