// Makes the statement of an account over a period: what the service's ledger shows, with the owners that the journal
// knows, and proven against the service's balance history. Where the type of an entry does not say its direction, it
// learns it from that history. Reads only.

import { mapBounded, READS_AT_ONCE } from '../../../core/bounded.ts'
import type { Books } from '../../../core/contract/books.ts'
import type { Direction } from '../../../core/contract/ledger-types.ts'
import {
  type Decimal,
  minus,
  negate,
  parseDecimal,
  parseSignedDecimal,
  plus,
  sumOf,
  ZERO,
} from '../../../core/money/decimal.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { withJournalConnection } from '../../../place/journal-connection.ts'
import { withJournalService } from '../../../place/place-service.ts'
import type { Reader } from '../../../place/reader.ts'
import { serviceFailure } from '../../../place/service/service-failure.ts'
import { assertOwnAccount } from '../../journal/own-account.ts'
import { directionKey, type GivenDirections, type LedgerLine, type Undirected } from '../ledger-line.ts'
import { readMultipliers } from '../multipliers.ts'
import { readPastBalances } from '../past-balances.ts'
import { type Period, type PeriodFlags, readPeriod } from '../period.ts'
import { type LineSources, walkLines } from '../walk-lines.ts'
import type { AccountStatement, AssetStatement } from './account-statement.ts'
import { type Equity, makeAssetStatement } from './asset-statement.ts'
import { createSums } from './sums.ts'

/** Maximum faults that are kept in words. The rest is counted. */
const MOST_FAULTS = 1_000
/** An entry may arrive between the ledger and the history, where the period reaches to the present. */
const MOST_TRIES = 3

export interface StatementRequest extends PeriodFlags {
  /** In either spelling of an equity. Absent: all assets of the account. */
  readonly asset?: string
}

/** @throws OperationError */
export function readStatement({ flags, context }: Reader, request: StatementRequest): Promise<AccountStatement> {
  return withJournalConnection(
    flags,
    context,
    (connection) =>
      withJournalService(connection, flags, context, async (service) => {
        await assertOwnAccount(connection, service)
        await service.clock.measure()
        const nowMs = Math.floor(service.clock.nowMs())
        const period = readPeriod(request, nowMs)
        const account = (await service.accountOfKey()) ?? null
        const asked = { period, asset: request.asset, directions: connection.treasury.books?.directions }
        return { account, ...(await makeStatement({ journal: connection.journal, service }, asked, nowMs)) }
      }).catch((error: unknown) => Promise.reject(serviceFailure(error))),
    { asksService: true },
  )
}

export function statementExitCode({ isProven }: Pick<AccountStatement, 'isProven'>): ExitCode {
  return isProven ? ExitCode.Done : ExitCode.DoesNotTieOut
}

type StatementService = LineSources['service'] &
  Pick<
    ServiceClient,
    'assets' | 'balances' | 'knownAsset' | 'walkBalanceHistory' | 'walkDeposits' | 'walkFills' | 'walkOrders'
  >

export interface StatementSources extends Pick<LineSources, 'journal'> {
  readonly service: StatementService
}

type OnLine = (line: LedgerLine) => void | Promise<void>
/** Called at the begin of each reading of the ledger, and returns the receiver of its lines. */
type OnLines = () => OnLine

interface Asked {
  readonly period: Period
  readonly asset: string | undefined
  readonly directions?: Books['directions'] | undefined
}

/** @throws Transient, Refused, Defect */
export async function makeStatement(
  sources: StatementSources,
  { period, asset, directions = {} }: Asked,
  nowMs: number,
  onLines: OnLines = () => () => undefined,
): Promise<Omit<AccountStatement, 'account'>> {
  const { service } = sources
  const only = asset === undefined ? undefined : (await service.knownAsset(asset)).assetSymbol
  const held = only === undefined ? (await service.balances()).map(({ assetSymbol }) => assetSymbol) : [only]
  const equities = await readEquities(held, period, service)
  let given: GivenDirections = new Map(Object.entries(directions))
  const readOnce = () => readAssets(sources, { period, only, held, equities, given }, onLines())
  let read = await readOnce()
  for (let tries = 1; tries < MOST_TRIES && !areProven(read); tries += 1) {
    const now = learnDirections(read)
    if (now.size === 0 && period.closeMs <= nowMs) break
    given = new Map([...given, ...now])
    read = await readOnce()
  }
  return {
    ...{ from: iso(period.fromMs), to: iso(period.toMs), zone: period.zone, readAt: iso(nowMs) },
    isProven: areProven(read),
    assets: read.assets.filter((each) => only !== undefined || isMoving(each)),
    faults: read.faults,
    faultsTotal: read.faultsTotal,
  }
}

interface ReadAssets extends Pick<AccountStatement, 'assets' | 'faults' | 'faultsTotal'> {
  /** By asset: the sum of the entries of each type without a known direction. */
  readonly undirected: Undirecteds
}

function areProven({ assets, faultsTotal }: ReadAssets): boolean {
  return faultsTotal === 0 && assets.every(({ proof }) => proof.isProven)
}

/** An asset without balance and movements says nothing, unless it is not proven. */
function isMoving({ opening, closing, lines, proof }: AssetStatement): boolean {
  return opening !== '0' || closing !== '0' || lines.length > 0 || !proof.isProven
}

interface Reading {
  readonly period: Period
  readonly only: string | undefined
  readonly held: readonly string[]
  readonly equities: ReadonlyMap<string, Equity>
  readonly given: GivenDirections
}

async function readAssets(
  sources: StatementSources,
  { period, only, held, equities, given }: Reading,
  onLine: OnLine,
): Promise<ReadAssets> {
  const sums = createSums(period, (asset) => equities.get(asset)?.course.actions ?? [])
  const faults: string[] = []
  let faultsTotal = 0
  const onFault = (why: string) => {
    faultsTotal += 1
    if (faults.length < MOST_FAULTS) faults.push(why)
  }
  const undirected = new Map<string, Map<string, Decimal>>()
  const onUndirected = ({ asset, type, amount }: Undirected) => {
    const ofAsset = undirected.get(asset) ?? new Map<string, Decimal>()
    undirected.set(asset, ofAsset.set(type, plus(ofAsset.get(type) ?? ZERO, amount)))
  }
  const walk = { period, asset: only, given, onFault, onUndirected, onEntry: sums.addEntry }
  for await (const line of walkLines(sources, walk)) {
    sums.addLine(line)
    await onLine(line)
  }
  const named = [...new Set([...held, ...sums.assets(), ...undirected.keys()])].toSorted()
  const assets = await mapBounded(named, READS_AT_ONCE, async (asset) =>
    makeAssetStatement(
      asset,
      await readPastBalances(asset, period, sources.service),
      sums.of(asset),
      equities.get(asset),
    ),
  )
  return { assets, faults, faultsTotal, undirected }
}

/** Only tokenised equities rebase (description, "AssetResource"). */
async function readEquities(
  held: readonly string[],
  period: Period,
  service: StatementService,
): Promise<ReadonlyMap<string, Equity>> {
  const stocks = (await service.assets()).filter(
    ({ assetClass, assetSymbol }) => assetClass === 'STOCK' && held.includes(assetSymbol),
  )
  const found = await mapBounded(stocks, READS_AT_ONCE, async ({ assetSymbol, rebasedSymbol, amountIncrement }) => {
    const increment = parseDecimal(amountIncrement, `amountIncrement of ${assetSymbol}`)
    return [
      assetSymbol,
      { rebasedSymbol, increment, course: await readMultipliers(assetSymbol, period, service) },
    ] as const
  })
  return new Map(found)
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

/** By asset, and then by type. */
type Undirecteds = ReadonlyMap<string, ReadonlyMap<string, Decimal>>

/** Maximum types of an asset. Every combination of their directions is tried. */
const MOST_TYPES = 8

function learnDirections({
  assets,
  undirected,
}: Pick<AccountStatement, 'assets'> & { readonly undirected: Undirecteds }): GivenDirections {
  const learned = assets.flatMap(({ asset, proof }) => {
    const types = [...(undirected.get(asset) ?? [])]
    // Entries without a type may have either direction each.
    if (types.length > MOST_TYPES || types.some(([type]) => type === '')) return []
    const [opening, change, closing] = [proof.openingBalance, proof.change, proof.closingBalance].map((text) =>
      parseSignedDecimal(text, 'balance'),
    )
    const gap = minus(closing ?? ZERO, plus(opening ?? ZERO, change ?? ZERO))
    const ways = waysOf(types.length).filter(
      (way) => sumOf(types.map(([, sum], at) => (way[at] === 'in' ? sum : negate(sum)))) === gap,
    )
    const [only, ...others] = ways
    if (only === undefined || others.length > 0) return []
    return types.map(([type], at): [string, Direction] => [directionKey(asset, type), only[at] ?? 'in'])
  })
  return new Map(learned)
}

function waysOf(types: number): readonly (readonly Direction[])[] {
  if (types === 0) return [[]]
  return waysOf(types - 1).flatMap((way): Direction[][] => [
    [...way, 'in'],
    [...way, 'out'],
  ])
}
