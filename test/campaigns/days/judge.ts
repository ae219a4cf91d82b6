// Judges a treasury after its days, by comparing the witness's books with the journal. Pure. Every sentence that it
// returns is a broken promise.
import { RunEnd } from '../../../core/contract/runs.ts'
import { judge as judgeMovements, movementKey } from '../judge.ts'
import { type Books, keepBooks, sumByDay } from './books.ts'
import type { Evidence, RunEvidence } from './evidence.ts'
import { type Claimed, judgeFighting, judgeHub, type RunEntry } from './fighting.ts'
import { DAY_MS, dayOf, type Script, START_MS } from './script.ts'
import { ARRIVAL, FUND, HUB, REBALANCE, STARTS_A_DAY, SWEEP } from './treasury.ts'
import { judgeWeights } from './weights.ts'

/** Outcomes with which a run may always end. */
const SMOOTH: ReadonlySet<string> = new Set([
  ...[RunEnd.Settled, RunEnd.NothingToDo, RunEnd.Shadowed, RunEnd.AlreadyRunning],
])
/**
 * Outcomes that are allowed while the service fails or is in maintenance. Each has a reason, and none halts the policy.
 */
const ROUGH: ReadonlySet<string> = new Set([
  ...[RunEnd.PartlySettled, RunEnd.NothingMoved, RunEnd.Guarded, RunEnd.Failed],
])
/** Movements of a day: four rebalances with their hubs, and two of each other policy. */
const MOST_A_DAY = 40
/** On average a portfolio that wanders does not trade every day. */
const MOST_A_DAY_ON_AVERAGE = 8
/** Factor that allows for spreads, because the prices of the script are mids. */
const SPREAD = 1.01

export function judge(evidence: Evidence, script: Script, days: number): string[] {
  const { oracle, intents, claims, auditFindings, deadLetters, runs } = evidence
  const books = keepBooks(oracle.ledger, script.prices)
  const claimed = claimedOf(evidence, books)
  return [
    ...judgeMovements({
      ...{ movements: oracle.movements, intents },
      claims: new Map(oracle.movements.map((movement) => [movementKey(movement), claims.get(movement.id)])),
      ledgerViolations: oracle.invariants.violations,
    }),
    ...auditFindings.map((finding) => `the audit finds ${finding}`),
    ...deadLetters.map((letter) => `a dead letter: ${letter}`),
    ...runs.flatMap((run) => judgeRun(run, script)),
    ...judgeStarts(runs, days),
    ...judgeMaintenance(evidence, script),
    ...judgeKeeps(claimed),
    ...judgeSizes(claimed),
    ...judgeTurnover(claimed, days),
    ...judgeFighting(claimed, days),
    ...judgeHub(entriesOfRebalance(evidence), leftInHub(runs)),
    ...judgeWeights(runs, books),
  ]
}

function claimedOf({ intents, claims }: Evidence, books: Books): Claimed[] {
  const byId = new Map(intents.map((intent) => [intent.intentId, intent]))
  return books.takings().flatMap((taking) => {
    const intent = byId.get(claims.get(taking.movementId) ?? '')
    if (intent === undefined) return []
    const price = books.priceAt(taking.asset, taking.atMs)
    const policy = intent.params.policy ?? 'none'
    return [{ ...taking, intent, policy, usd: taking.amount * price, keptUsd: taking.kept * price }]
  })
}

/** The ledger entries of the rebalance's runs. */
function entriesOfRebalance({ oracle, intents, claims }: Evidence): RunEntry[] {
  const byId = new Map(intents.map((intent) => [intent.intentId, intent]))
  return oracle.ledger.flatMap(({ asset, from, to, amount, orderId }) => {
    const { policy, run } = byId.get(claims.get(orderId ?? '') ?? '')?.params ?? {}
    if (policy !== 'balanced' || run === undefined || (from === 'available') === (to === 'available')) return []
    return [{ run, asset, change: to === 'available' ? Number(amount) : -Number(amount) }]
  })
}

/** The rest in the hub, by the last run that planned. */
function leftInHub(runs: readonly RunEvidence[]): number {
  const looked = runs.filter(({ policy, report }) => policy === 'balanced' && report?.plan !== undefined)
  const last = looked.toSorted((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt)).at(-1)
  return Number(last?.report?.residues?.find(({ asset }) => asset === HUB)?.amount ?? 0)
}

function judgeRun({ name, policy, status, outcome, startedAt, report }: RunEvidence, script: Script): string[] {
  const who = `run ${name} of ${policy}, begun ${startedAt},`
  if (status !== 'SUCCEEDED' || outcome === undefined) return [`${who} ended ${status} without a named outcome`]
  const found: string[] = []
  if (report?.tiesOut === false) found.push(`${who} does not tie out: ${report.why}`)
  if (SMOOTH.has(outcome)) return found
  const startedMs = Date.parse(startedAt)
  const { maintenance } = script
  const isRough =
    script.roughDays.has(dayOf(startedMs)) ||
    (maintenance !== undefined && startedMs >= maintenance.fromMs && startedMs < maintenance.toMs)
  if (!ROUGH.has(outcome)) found.push(`${who} ended ${outcome}: ${report?.why}`)
  else if (!isRough) found.push(`${who} ended ${outcome} while nothing was wrong with the service: ${report?.why}`)
  return found
}

/** Each due time is one run, however often it was delivered. */
function judgeStarts(runs: readonly RunEvidence[], days: number): string[] {
  const scheduled = runs.filter(({ trigger }) => trigger?.by === 'schedule')
  const times = scheduled.map(({ policy, trigger }) => `${policy} of ${trigger?.id}`)
  const twice = times.filter((time, index) => times.indexOf(time) !== index)
  return [
    ...twice.map((time) => `the schedule's ${time} began more than one run`),
    ...Object.entries(STARTS_A_DAY).flatMap(([policy, aDay]) => {
      const lastMs = START_MS + days * DAY_MS
      const own = scheduled.filter((run) => run.policy === policy && Date.parse(run.trigger?.id ?? '') < lastMs)
      return own.length === aDay * days ? [] : [`${policy} began ${own.length} runs, not ${aDay * days}`]
    }),
    ...judgePaydays(scheduled, days),
  ]
}

const MADRID = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: 'Europe/Madrid', weekday: 'short', hour: '2-digit', minute: '2-digit' },
})

/** The payout is due each Monday at nine in Madrid, also after the clocks there change. The first day is a Monday. */
function judgePaydays(scheduled: readonly RunEvidence[], days: number): string[] {
  const dueAt = scheduled.flatMap(({ policy, trigger }) => (policy === 'payout' ? [trigger?.id ?? ''] : []))
  const weeks = Math.ceil(days / 7)
  return [
    ...dueAt.flatMap((at) => (MADRID.format(new Date(at)) === 'Mon 09:00' ? [] : [`payout was due at ${at}`])),
    ...(dueAt.length === weeks ? [] : [`payout began ${dueAt.length} runs, not ${weeks}`]),
  ]
}

function judgeMaintenance({ oracle, runs }: Evidence, { maintenance }: Script): string[] {
  if (maintenance === undefined) return []
  const isIn = (at: string) => Date.parse(at) >= maintenance.fromMs && Date.parse(at) < maintenance.toMs
  const moved = oracle.movements.filter(({ at }) => isIn(at))
  const met = runs.filter(({ startedAt, outcome }) => isIn(startedAt) && outcome === RunEnd.Guarded)
  return [
    ...moved.map(({ id, at }) => `movement ${id} at ${at}, in maintenance`),
    ...(met.length > 0 ? [] : ['no run was guarded by the maintenance: it was not put to the test']),
  ]
}

/** The amount that a policy must leave of each asset that it takes from. A payment of a fixed amount has no floor. */
const KEEPS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  balanced: { USD: REBALANCE.reserveUsd },
  'to-cold': { USDC: SWEEP.target },
  float: { USDC: FUND.keep },
  euros: { EUR: ARRIVAL.target },
}

function judgeKeeps(claimed: readonly Claimed[]): string[] {
  return claimed.flatMap(({ policy, asset, left, atMs, movementId }) => {
    const keep = KEEPS[policy]?.[asset]
    if (keep === undefined || left >= keep - 0.01) return []
    return [`${policy} left ${left} ${asset}, less than ${keep}, by ${movementId} at ${new Date(atMs).toISOString()}`]
  })
}

/**
 * USD below which a movement of a policy is dust. A sweep sends one canary to a new contact, and another if it came
 * back.
 */
const SMALLEST: Readonly<Record<string, number>> = {
  balanced: REBALANCE.smallestTrade / SPREAD,
  'to-cold': SWEEP.smallest / SPREAD,
  float: 10 / SPREAD,
  euros: 10 / SPREAD,
}

function judgeSizes(claimed: readonly Claimed[]): string[] {
  const canaries = claimed.filter(({ policy, usd }) => policy === 'to-cold' && usd < 10)
  const arrived = canaries.filter(({ keptUsd }) => keptUsd > 0)
  const isCanary = (taking: Claimed) => taking === arrived[0] || (canaries.includes(taking) && taking.keptUsd === 0)
  return [
    ...(arrived.length > 1 ? [`${arrived.length} canaries went to one contact`] : []),
    ...claimed.flatMap((taking) =>
      isCanary(taking) || taking.usd >= (SMALLEST[taking.policy] ?? 0)
        ? []
        : [`${taking.policy} moved ${taking.amount} ${taking.asset} by ${taking.movementId}: too small to be worth it`],
    ),
  ]
}

function judgeTurnover(claimed: readonly Claimed[], days: number): string[] {
  const counts =
    sumByDay(
      claimed,
      () => 'all',
      () => 1,
    ).get('all') ?? new Map<number, number>()
  const turnover =
    sumByDay(
      claimed,
      ({ policy }) => policy,
      ({ keptUsd }) => keptUsd,
    ).get('balanced') ?? new Map()
  return [
    ...[...counts].flatMap(([day, count]) => (count > MOST_A_DAY ? [`${count} movements on day ${day}`] : [])),
    ...(days >= 20 && claimed.length > days * MOST_A_DAY_ON_AVERAGE ? [`${claimed.length} movements in all`] : []),
    ...[...turnover].flatMap(([day, usd]) =>
      usd > REBALANCE.turnoverDay * SPREAD ? [`balanced turned over ${usd.toFixed(2)} USD on day ${day}`] : [],
    ),
  ]
}
