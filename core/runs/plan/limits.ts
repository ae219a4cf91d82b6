// Reads what the deployment's guards and the policy's guards leave for a plan: the tightest bound of each kind. Budgets are
// read, not taken: a leg takes its part right before it is sent. To know whether a reservation still counts takes a read of its
// intent, and a day may have thousands. So a plan first counts all of them, at one read a budget. The intents are read only
// where a plan is bound by the budget. Reads only.
import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import type { NewId } from '../../clock.ts'
import { sameCode } from '../../contract/fields.ts'
import type { Policy } from '../../contract/policies.ts'
import { type IntentKind, type IntentName, intentName } from '../../contract/records.ts'
import {
  boundsIn,
  type CountedBound,
  type EffectiveBound,
  type GuardSet,
  globalGuards,
  policyGuardSets,
} from '../../guards/effective-guards.ts'
import { type Budgets, createBudgets } from '../../journal/budgets.ts'
import { type Intent, isSettled } from '../../journal/intent.ts'
import type { FindIntent } from '../../journal/journal.ts'
import type { RecordStore } from '../../journal/record-store.ts'
import { type Decimal, parseDecimal } from '../../money/decimal.ts'
import type { PlanLimits } from '../../planning/market/snapshot.ts'
import type { RunBudgets, RunPorts } from '../ports.ts'

interface LimitsOf {
  /** The asset of the plan's values: bounds in another asset are left to the check before each ARM. */
  readonly valuationAsset: string
  /** Epoch ms, service time. */
  readonly nowMs: number
  /** Returns the settled code of an asset in any spelling. */
  readonly settled: (code: string) => string
  readonly markets: readonly string[]
}

/** `names`: all names of the policy; only its budgets need more than the present one. */
export function guardSetsOf(
  name: string,
  policy: Policy,
  { treasury }: Pick<RunPorts, 'treasury'>,
  names: readonly string[] = [name],
): GuardSet[] {
  const valuationAsset = policy.valuationAsset ?? treasury.guards.valuationAsset
  const { guards } = policy
  return [globalGuards(treasury.guards), ...policyGuardSets(name, names, { valuationAsset, guards })]
}

/** @throws Transient */
export async function readLimits(
  sets: readonly GuardSet[],
  limits: LimitsOf,
  budgets: Pick<Budgets, 'left'>,
): Promise<PlanLimits> {
  const total: Figures = {}
  const assets = new Map<string, Figures>()
  const contacts = new Map<string, Figures>()
  const outflow = new Map<string, Figures>()
  const figuresOf = ({ asset, contactId, isOutflow }: CountedBound): Figures => {
    if (contactId !== undefined) return figuresIn(contacts, contactId)
    if (asset === undefined) return total
    return figuresIn(isOutflow === true ? outflow : assets, asset)
  }
  const bounds = sets.flatMap((set) => boundsIn(set, limits.settled))
  const comparable = bounds.filter(
    ({ valuationAsset }) => valuationAsset === undefined || limits.settled(valuationAsset) === limits.valuationAsset,
  )
  await mapBounded(comparable, READS_AT_ONCE, async (each) => {
    const { largest } = each.bound
    const left = await leftToday(each, limits.nowMs, budgets)
    const figures = figuresOf(each)
    if (largest !== undefined) figures.largest = least(figures.largest, parseDecimal(largest, 'guards.largest'))
    figures.leftToday = least(figures.leftToday, left)
  })
  return { ...valueLimits(total), ...allowances(sets, limits.markets), ...mapsOf(assets, contacts, outflow) }
}

interface Figures {
  largest?: Decimal | undefined
  leftToday?: Decimal | undefined
}

/** Returns the rest of a day's bound for movements of now; undefined for a bound without a day's figure. @throws Transient */
export async function leftToday(
  { bound: { daily }, field, scope, symbol, isRolling }: EffectiveBound,
  nowMs: number,
  budgets: Pick<Budgets, 'left'>,
): Promise<Decimal | undefined> {
  if (daily === undefined) return undefined
  const budget = { scope, assetSymbol: symbol, isRolling, span: { fromMs: nowMs, toMs: nowMs } }
  return budgets.left(budget, parseDecimal(daily, `${field}.daily`))
}

function figuresIn(all: Map<string, Figures>, key: string): Figures {
  const figures = all.get(key) ?? {}
  all.set(key, figures)
  return figures
}

function least<Figure extends bigint | number>(
  left: Figure | undefined,
  right: Figure | undefined,
): Figure | undefined {
  if (left === undefined || right === undefined) return left ?? right
  return left < right ? left : right
}

function mapsOf(
  assets: ReadonlyMap<string, Figures>,
  contacts: ReadonlyMap<string, Figures>,
  outflow: ReadonlyMap<string, Figures>,
): Pick<PlanLimits, 'assets' | 'contacts' | 'outflow'> {
  const amounts = ({ largest, leftToday }: Figures) => ({
    ...(largest !== undefined && { largest }),
    ...(leftToday !== undefined && { leftToday }),
  })
  return {
    assets: new Map([...assets].map(([code, figures]) => [code, amounts(figures)])),
    contacts: new Map([...contacts].map(([id, figures]) => [id, valueLimits(figures)])),
    outflow: new Map(
      [...outflow].flatMap(([code, { leftToday }]) => (leftToday === undefined ? [] : [[code, leftToday]])),
    ),
  }
}

function valueLimits({ largest, leftToday }: Figures) {
  return {
    ...(largest !== undefined && { largestValue: largest }),
    ...(leftToday !== undefined && { leftTodayValue: leftToday }),
  }
}

/** Markets and contacts on every list, and the tightest slippage. Markets that the service does not have are left out. */
function allowances(
  sets: readonly GuardSet[],
  markets: readonly string[],
): Pick<PlanLimits, 'allowedMarkets' | 'allowedContacts' | 'worstSlippageBps'> {
  let allowedMarkets: ReadonlySet<string> | undefined
  let allowedContacts: ReadonlySet<string> | undefined
  let worstSlippageBps: number | undefined
  for (const { guards } of sets) {
    const named = guards.allowedMarkets
    // Matched as the check before each ARM matches them: in any case.
    const allowed = named && markets.filter((id) => named.some((each) => sameCode(each, id)))
    allowedMarkets = both(allowedMarkets, allowed)
    allowedContacts = both(allowedContacts, guards.allowedContacts)
    worstSlippageBps = least(worstSlippageBps, guards.worstSlippageBps)
  }
  return {
    ...(allowedMarkets && { allowedMarkets }),
    ...(allowedContacts && { allowedContacts }),
    ...(worstSlippageBps !== undefined && { worstSlippageBps }),
  }
}

function both(known: ReadonlySet<string> | undefined, list: readonly string[] | undefined) {
  if (list === undefined) return known
  return new Set(list.filter((each) => known?.has(each) ?? true))
}

/** Remembered intents: some 10 MB. A forgotten intent is read again. */
const MOST_REMEMBERED = 5_000

export function createRunBudgets(store: RecordStore, journal: FindIntent, newId: NewId): RunBudgets {
  // Stub without intents: every reservation counts.
  const nobody: FindIntent = { find: async () => undefined }
  return {
    counted: createBudgets(store, nobody, newId),
    settled: createBudgets(store, remembering(journal), newId),
  }
}

/** Reads each ended intent once: the same intents reserve from several budgets at once, and a function serves many calls. */
function remembering(journal: FindIntent): FindIntent {
  const ended = new Map<string, Intent>()
  const underWay = new Map<string, Promise<Intent | undefined>>()

  async function read(name: IntentName, intentId: string, kind: IntentKind): Promise<Intent | undefined> {
    const intent = await journal.find(intentId, kind)
    if (intent === undefined || !isSettled(intent.state)) return intent
    if (ended.size >= MOST_REMEMBERED) ended.clear()
    ended.set(name, intent)
    return intent
  }

  return {
    async find(intentId, kind) {
      const name = intentName(kind, intentId)
      const remembered = ended.get(name) ?? underWay.get(name)
      if (remembered !== undefined) return remembered
      const reading = read(name, intentId, kind).finally(() => underWay.delete(name))
      underWay.set(name, reading)
      return reading
    },
  }
}
