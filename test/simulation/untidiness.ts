// How untidy a world is: each way in which a real service, account or machine is less tidy than the plainest one. Each
// way has its own draws, so that leaving out one does not change the others.
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import { Verb } from '../../core/contract/states.ts'
import { pickWith, seededRandom } from './choices.ts'
import { MISQUOTES, MISTOLD_ORDERS, SPELLINGS, WITHDRAWN_ASSET } from './deals.ts'
import { drawGuardSets, noGuards, withSums } from './drawn-guards.ts'
import { CONVERTED as CONVERSIONS, WITHDRAWN } from './given-up.ts'
import { FORGERIES, STRIKES } from './insider.ts'
import { showOthers } from './past.ts'
import { intentsOf, numberOf, type Past, type PastRow, type Schedule } from './schedule.ts'
import { SHOWN_WITHIN_MS } from './signed-service.ts'
import { TOLD_ASSETS, type WithdrawalTruth } from './withdrawal-model.ts'

type Misnames = WithdrawalTruth['misnames'] | undefined
type Planned = NonNullable<Schedule['planned']>['convert'] | undefined
type Pick = <T>(options: readonly T[]) => T

interface Way {
  readonly about: string
  draw(schedule: Schedule, pick: Pick): Schedule
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const OLDER_THAN_TWO_DAYS: PastRow = { agoMs: 49 * HOUR_MS, whose: 'nobody knows' }
const OURS: PastRow = { agoMs: HOUR_MS, whose: 'ours' }
const OURS_BEFORE: PastRow = { agoMs: 20 * HOUR_MS, whose: 'ours' }
const DECLARED: PastRow = { agoMs: 2 * HOUR_MS, whose: 'declared foreign' }
const PASTS: readonly (readonly PastRow[])[] = [
  [],
  [],
  [OLDER_THAN_TWO_DAYS],
  [OURS],
  [OURS_BEFORE],
  [OLDER_THAN_TWO_DAYS, OURS, OURS_BEFORE],
  [DECLARED, OURS],
]
/** Early enough before the start to show, and within the day before any ARM. */
const RECENT_MS = [2 * MINUTE_MS, HOUR_MS, 23 * HOUR_MS]
const CONVERTED: readonly Past['orders'][] = [0, 1, 1, 2]
/** Times of rows by other writers who are not configured: right after our ARM, and during the doubt. */
const OTHERS_MS = [[1_000, 2_000], [20_000, 40_000], [5_000, 31_000, 100_000], []]

/** Conclude is missing here: where it lacks a permission, the machine itself calls a person. */
const OF_CONVERSIONS = [Verb.Quote, Verb.Order, Verb.PollOrder]
const OF_WITHDRAWALS = [Verb.CheckWithdrawal, Verb.Withdraw, Verb.PollWithdrawal]

/** With calendar days and with days of any 24 hours. */
const ROOMY = {
  BUY: drawGuardSets(8, CONVERSIONS.BUY, WITHDRAWN),
  SELL: drawGuardSets(8, CONVERSIONS.SELL, WITHDRAWN),
}

/** Amounts of withdrawals side by side, and increments that the asset may have for a while. */
const SIDE_BY_SIDE: readonly { readonly amounts: readonly string[]; readonly increments: readonly string[] }[] = [
  { amounts: ['100', '210', '333'], increments: ['25'] },
  { amounts: ['103.7', '111.9', '107.3', '118.3'], increments: ['1', '0.5'] },
  { amounts: ['100', '100', '250', '100'], increments: ['25'] },
  // Cut to a coarser increment, all others are the first.
  { amounts: ['100', '100.5', '100.7', '104.3'], increments: ['5', '10', '100'] },
  { amounts: ['100', '100.5', '100.7', '104.3'], increments: ['5', '10', '100'] },
  { amounts: ['120', '125.7', '130.3', '127'], increments: ['20', '25'] },
  // The fee is the difference, before it rises or after.
  { amounts: ['100', '101', '102', '101.5'], increments: ['1'] },
]

/** Amounts apart by a fee of 1.5 or 2.5, and still apart at a fee of 1. */
const APART_AT_THE_OLD_FEE = ['101.3', '102.8', '105.3', '107.8']

const NETWORK_ALONE = ['freeze', 'crash', 'clock'] as const

const WAYS = {
  ids: {
    about: 'ids counted for each kind, so that an order and a withdrawal have the same, or without any rule',
    draw: (schedule, pick) => withTruth(schedule, { ids: pick(['by kind', 'counted', 'counted', 'random']) }),
  },
  dates: {
    about: "rows dated to the second, the minute or the day, and in another zone's clock",
    draw: (schedule, pick) => {
      const datedTo = pick(['millisecond', 'second', 'minute'] as const)
      const isOfDay = pick([false, false, false, true])
      const datedAheadMs = pick([0, 0, 0, 0, 14 * HOUR_MS, -12 * HOUR_MS])
      return withRows(schedule, { datedTo: isOfDay ? 'day' : datedTo, datedAheadMs })
    },
  },
  order: {
    about: 'rows in another order with every request, those of one moment or all',
    draw: (schedule, pick) => withRows(schedule, { unordered: pick(['no', 'ties', 'all']) }),
  },
  pages: {
    about: 'pages of one, two or a hundred rows; windows in time with and without their ends, and up to two days off',
    draw: (schedule, pick) =>
      withRows(schedule, {
        ...{ rowsAPage: pick([1, 2, 100]), includesStart: pick([true, false]), includesEnd: pick([true, false]) },
        filtersOffMs: pick([0, 0, 47 * HOUR_MS, -47 * HOUR_MS]),
      }),
  },
  near: {
    about: 'our own rows shown with another network or another sub-type',
    draw: (schedule, pick) => {
      const toldOtherwise = pick([undefined, undefined, undefined, 'network', 'subType'] as const)
      return withRows(schedule, toldOtherwise ? { toldOtherwise } : {})
    },
  },
  past: {
    about: 'earlier rows and orders: claimed, declared foreign, older than two days',
    draw: (schedule, pick) => ({ ...schedule, past: { rows: pick(PASTS), orders: pick(CONVERTED) } }),
  },
  writers: {
    about: 'others who write to the account, unconfigured, with a recent row that nobody knows',
    draw: (schedule, pick) => {
      const isDrawn = pick([false, true])
      const row: PastRow = { agoMs: pick(RECENT_MS), whose: 'nobody knows' }
      const foreignRowsMs = pick(OTHERS_MS)
      if (!isDrawn || schedule.shared !== false) return schedule
      return withRows(
        { ...schedule, past: { ...schedule.past, rows: [...schedule.past.rows, row] } },
        { foreignRowsMs },
      )
    },
  },
  slow: {
    about: 'requests that are worked on for 2, 16 or 40 s before they move',
    draw: (schedule, pick) => {
      const workMs = pick([0, 2_000, 16_000, 40_000])
      const { orders, withdrawals } = schedule.truth
      const lag = (usualMs: number) => Math.min(pick([usualMs, SHOWN_WITHIN_MS]), SHOWN_WITHIN_MS - workMs)
      return withTruth(schedule, {
        workMs,
        orders: { ...orders, visibilityMs: lag(orders.visibilityMs) },
        withdrawals: { ...withdrawals, visibilityMs: lag(withdrawals.visibilityMs) },
      })
    },
  },
  books: {
    about:
      'a ledger that shows a withdrawal late, in several entries, or once it is completed, and then a failed one never; one that lacks entries for a while; refunds that are taken back; a credit of the same amount that the balance has before the ledger',
    draw: (schedule, pick) => {
      const { workMs, withdrawals } = schedule.truth
      const booksAt = pick(['acceptance', 'completion'] as const)
      const refundLagMs = pick([withdrawals.refundLagMs, SHOWN_WITHIN_MS - workMs])
      const entries = pick([
        'one each',
        'amount and fee',
        'both legs',
        'one leg of a refund',
        'legs without names',
        'a refund of an unknown type',
        'a refund like a deposit',
        'no types',
      ] as const)
      const fromMs = pick([160_000, 170_000, 200_000])
      const what = pick(['all', 'its latest', 'what a filter finds'] as const)
      const ledgerLacks = pick([undefined, undefined, { what, fromMs, forMs: pick([20_000, 60_000, 300_000]) }])
      const refundsAfterMs = pick([0, 250_000])
      const ways = ['as a reversal', 'as a refund that is cancelled', 'as a debit', 'by an entry of its own'] as const
      const takenBack = pick([undefined, undefined, pick(ways)])
      const paidInMs = { fromMs: pick([100_000, 200_000]), forMs: pick([100_000, 300_000]) }
      const creditAhead = pick([undefined, undefined, undefined, paidInMs])
      return withRows(schedule, {
        ...{ booksAt, refundLagMs, entries, refundsAfterMs, isQuiet: pick([false, false, true]) },
        tellsRefund: pick([false, false, true]),
        ...(ledgerLacks && { ledgerLacks }),
        ...(takenBack && { takenBack }),
        ...(creditAhead && { creditAhead }),
      })
    },
  },
  lanes: {
    about: 'a lane that an ended intent has left behind',
    draw: (schedule, pick) => {
      const lane = pick([undefined, IntentState.Done, IntentState.Rejected, IntentState.Exhausted])
      return lane ? { ...schedule, past: { ...schedule.past, lane } } : schedule
    },
  },
  keys: {
    about:
      'keys of another account, also of the other stage with an account of the same id, in all machines or in new ones, also right before a send, and keys that may not read the account',
    draw: (schedule, pick) => {
      const forMs = pick([30_000, 60_000, 200_000, 1_000_000])
      const who = pick(['all', 'all', 'new'] as const)
      const stray = { who, from: pick(['quote', 'send'] as const), forMs, isBusy: pick([false, true]) }
      const isOften = schedule.kinds.length > 0 || pick([false, true])
      const strayKey = pick([undefined, undefined, undefined, ...(isOften ? [stray, stray] : [undefined, undefined])])
      const mayReadAccount = pick(['all', 'all', 'all', 'first', 'first', 'none'] as const)
      const isAtBalance = pick([false, false, false, true])
      const isLive = pick([false, false, true])
      if (strayKey === undefined) return withTruth(schedule, { mayReadAccount })
      const atBalance = isAtBalance && ({ who: 'all', from: 'balance' } as const)
      return withTruth(schedule, { mayReadAccount, strayKey: { ...strayKey, ...atBalance, ...(isLive && { isLive }) } })
    },
  },
  power: {
    about: 'power cuts: every process crashes at once, and writes under way are lost',
    draw: (schedule, pick) => (pick([false, true]) ? { ...schedule, power: { losesUnsynced: false } } : schedule),
  },
  hurry: {
    about: 'intents whose time is over soon after the start, or while the journal takes long to answer an ARM',
    draw: (schedule, pick) => {
      const hurryMs = pick([undefined, 20_000, 60_000, 200_000])
      // Less than a function's time-out, so that the function continues when the answer arrives.
      const armTakesMs = pick([...Array(7).fill(undefined), 25_000, 70_000] as (number | undefined)[])
      return hurryMs ? { ...schedule, hurryMs, ...(armTakesMs !== undefined && { armTakesMs }) } : schedule
    },
  },
  misnamed: {
    about: "a 201 that names an earlier row, one of another amount, or another intent's",
    draw: (schedule, pick) => {
      const misnames = pick([...Array(6).fill(undefined), 'known', 'amount', ...Array(4).fill('claimed')] as Misnames[])
      return withRows(schedule, misnames ? { misnames } : {})
    },
  },
  trips: {
    about:
      'a network on which the question for the time, or its answer, is long under way, and work as long as is promised',
    draw: (schedule, pick) => {
      const timeTripMs = pick([0, 0, 0, 12_000])
      const isAtItsSlowest = pick([false, true])
      return withTruth(schedule, { timeTripMs, ...(timeTripMs > 0 && isAtItsSlowest && { isAtItsSlowest }) })
    },
  },
  faults: {
    about: 'machines that crash, freeze and have their clocks set, all in one schedule',
    draw: (schedule, pick) => (pick([false, false, true]) ? { ...schedule, without: [] } : schedule),
  },
  outputs: {
    about: 'steps whose answer is lost, and which are called again with the same input',
    draw: (schedule, pick) => ({ ...schedule, losesOutputs: pick([false, true]) }),
  },
  twins: {
    about: 'runs of one intent that start at the same moment',
    draw: (schedule, pick) => {
      if (!pick([false, false, true])) return schedule
      const first = new Map(schedule.entries.toReversed().map(({ intentId, delayMs }) => [intentId, delayMs]))
      const entries = schedule.entries.map((entry) => ({ ...entry, delayMs: first.get(entry.intentId) ?? 0 }))
      return { ...schedule, entries }
    },
  },
  retimed: {
    about: 'a service that becomes faster, and a deployment that waits no longer than it takes from then on',
    draw: (schedule, pick) => {
      const fasterAfterMs = pick([undefined, undefined, 10_000, 20_000, 40_000])
      return fasterAfterMs ? withTruth(schedule, { fasterAfterMs }) : schedule
    },
  },
  prices: {
    about:
      'conversions with a price guard of their own and of the deployment, planned at another price than the one of now, and quotes that flatter',
    draw: (schedule, pick) => {
      const { orders } = schedule.truth
      const planned = { plannedRate: pick(['49950', '50000', '50150']), maxSlippageBps: pick([5, 15, 40]) }
      const convert = pick([
        ...Array(5).fill(undefined),
        planned,
        planned,
        { worstRate: pick(['49950', '50070']) },
      ] as Planned[])
      const flatters = pick([false, true])
      const worstSlippageBps = pick([undefined, 5, 15])
      if (!convert) return schedule
      const guarded =
        worstSlippageBps === undefined || schedule.guards !== undefined || schedule.kinds.length > 0
          ? schedule
          : { ...schedule, guards: noGuards({ worstSlippageBps }) }
      return withTruth(withPlanned(guarded, { convert }), { orders: { ...orders, isMoving: true, flatters } })
    },
  },
  floors: {
    about:
      'floors that leave room for one movement, or for two, while others move too and some of the balance is frozen',
    draw: (schedule, pick) => {
      const { orders } = schedule.truth
      const isDrawn = pick([false, false, false, true])
      const most = pick([1, 1, 2])
      const [balance, keep] = orders.side === 'SELL' ? ['3', `${3 - most}`] : ['150300', `${150_300 - most * 50_100}`]
      // The balance of the withdrawals' asset is 1000 or 150, so there is room for nine, two, one or no withdrawals.
      const withdraw = { keep: pick(['100', '790', '880', '950', '40']) }
      const frozen = pick([undefined, undefined, '100', '200000'])
      if (!isDrawn) return schedule
      const held = withTruth(schedule, { orders: { ...orders, balance }, ...(frozen && { frozen }) })
      return withPlanned(held, { convert: { ...schedule.planned?.convert, keep }, withdraw })
    },
  },
  midnight: {
    about: 'a day that ends between two intents, by the clock of the service',
    draw: (schedule, pick) => {
      const isDrawn = pick([false, false, false, true])
      const laterMs = pick([160_000, 220_000, 400_000])
      if (!isDrawn) return schedule
      const late = (intentId: string) => (intentId === 'intent-1' ? 0 : laterMs)
      const entries = schedule.entries.map((entry) => ({ ...entry, delayMs: entry.delayMs + late(entry.intentId) }))
      return withTruth({ ...schedule, entries }, { skewMs: 200_000 })
    },
  },
  contacts: {
    about: 'a contact that is changed after the plan, before or after the intent is opened',
    draw: (schedule, pick) => {
      const contactChangesMs = pick([...Array(9).fill(undefined), 0, 1_000, 20_000, 100_000] as (number | undefined)[])
      return contactChangesMs === undefined ? schedule : withRows(schedule, { contactChangesMs })
    },
  },
  sleep: {
    about: 'machines that sleep while they are frozen, so that their steady clocks stand still',
    draw: (schedule, pick) => (pick([false, true]) ? { ...schedule, steadyClock: 'asleep while frozen' } : schedule),
  },
  permissions: {
    about: 'a step that may not read the journal, or not write into it, for minutes or an hour',
    draw: (schedule, pick) => {
      const isDrawn = pick([false, false, true])
      const verb = pick(schedule.kinds.includes(IntentKind.Withdraw) ? OF_WITHDRAWALS : OF_CONVERSIONS)
      const denial = { verb, what: pick(['reads', 'writes'] as const), fromMs: pick([0, 500, 5_000, 40_000]) }
      const forMs = pick([20_000, 300_000, 4_000_000])
      return isDrawn ? { ...schedule, denial: { ...denial, forMs } } : schedule
    },
  },
  sums: {
    about: 'a budget with room for two or for all, which soon holds those that are DONE as a sum, and intents in turn',
    draw: (schedule, pick) => {
      const isDrawn = pick([false, false, true])
      const { orders } = schedule.truth
      const given =
        schedule.kinds.includes(IntentKind.Convert) || schedule.kinds.length === 0
          ? CONVERSIONS[orders.side]
          : WITHDRAWN
      const guards = withSums(pick(ROOMY[orders.side]), given, pick([2.02, 10]), pick([1, 1, 2]))
      const laterMs = pick([1_000, 20_000, 200_000])
      if (!isDrawn || schedule.guards !== undefined) return schedule
      const named = [...new Set(schedule.entries.map(({ intentId }) => intentId))]
      const further = named.length === 2 ? [{ intentId: 'intent-3', delayMs: 0 }] : []
      const entries = [...schedule.entries, ...further].map((entry) => {
        return { ...entry, delayMs: entry.delayMs + laterMs * (numberOf(entry.intentId) - 1) }
      })
      return withTruth({ ...schedule, guards, entries }, { orders: { ...orders, isMoving: true } })
    },
  },
  assets: {
    about: 'rows that name their asset in another spelling, not at all, or by another code',
    draw: (schedule, pick) => {
      const names = Object.keys(TOLD_ASSETS) as (keyof typeof TOLD_ASSETS)[]
      const tellsAsset = pick([...Array(names.length).fill(undefined), ...names] as (typeof names)[number][])
      return withRows(schedule, tellsAsset ? { tellsAsset } : {})
    },
  },
  insiders: {
    about: 'somebody who writes the journal, and changes the record of an intent between two steps',
    draw: (schedule, pick) => {
      const isDrawn = pick([false, false, false, true])
      const forgery = { what: pick(keysOf(FORGERIES)), when: pick(keysOf(STRIKES)) }
      return isDrawn ? { ...schedule, forgery } : schedule
    },
  },
  quotes: {
    about:
      'quotes and orders of another market, side or amount than was asked for, or in another spelling, and quotes that are swapped on their way',
    draw: (schedule, pick) => {
      const { orders } = schedule.truth
      const rare = <Name extends string>(names: Readonly<Record<Name, unknown>>) => {
        const all = Object.keys(names) as Name[]
        return pick<Name | undefined>([...Array(5 * all.length).fill(undefined), ...all])
      }
      const as = rare(MISQUOTES)
      const after = pick([0, 0, 1, 2])
      const mistells = rare(MISTOLD_ORDERS)
      const spells = rare(SPELLINGS)
      const swapsQuotes = rare(MISQUOTES)
      const swapped = swapsQuotes && pick([false, false, true]) ? { ...schedule, swapsQuotes } : schedule
      return withTruth(swapped, {
        orders: {
          ...{ ...orders, ...(as && { misquotes: { as, after } }) },
          ...{ ...(mistells && { mistells }), ...(spells && { spells }) },
        },
      })
    },
  },
  strangers: {
    about: 'a configuration that does not say whether others write, and others whose first row is like ours',
    draw: (schedule, pick) => {
      const isDrawn = pick([false, true])
      const foreignRowsMs = pick([[0], [500], [5_000], [20_000], []])
      if (!isDrawn || schedule.shared !== false || showOthers(schedule.past)) return schedule
      return withRows({ ...schedule, shared: undefined }, { foreignRowsMs })
    },
  },
  persons: {
    about: 'people who settle every intent in doubt: for none, or by what moved',
    draw: (schedule, pick) => {
      const timesMs = pick([[], [170_000], [200_000, 400_000], [160_000, 240_000, 900_000]])
      const words = timesMs.map((atMs) => ({ atMs, knows: pick([false, false, true]) }))
      return words.length > 0 ? { ...schedule, words } : schedule
    },
  },
  lists: {
    about:
      'lists that are empty or lack rows for a while, some of which the journal knows, and are answered with a 200; the last withdrawal before was perhaps made days or a week ago',
    draw: (schedule, pick) => {
      const what = pick(['all', 'all', 'every other', 'known'] as const)
      const fromMs = pick([0, 1_000, 20_000, 20_000, 100_000])
      const lacks = pick([undefined, { what, fromMs, forMs: pick([45_000, 200_000, 1_000_000]) }])
      const agoMs = pick([undefined, 72 * HOUR_MS, 168 * HOUR_MS])
      if (lacks === undefined) return schedule
      const isFirst = schedule.past.rows.every(({ whose }) => whose !== 'ours')
      if (agoMs === undefined || !isFirst) return withRows(schedule, { lacks })
      const rows: readonly PastRow[] = [...schedule.past.rows, { agoMs, whose: 'ours' }]
      return withRows({ ...schedule, past: { ...schedule.past, rows, lane: IntentState.Done } }, { lacks })
    },
  },
  early: {
    about:
      'a 201 that comes before the work is done and names an earlier row, while a conversion sells the withdrawn asset over a floor with room for one movement',
    draw: (schedule, pick) => {
      const isDrawn = pick([false, false, false, false, true])
      const workMs = pick([16_000, 40_000])
      const { kinds, guards, truth, past } = schedule
      const isMixed = kinds.includes(IntentKind.Convert) && kinds.includes(IntentKind.Withdraw)
      if (!isDrawn || !isMixed || guards !== undefined || truth.orders.spells !== undefined) return schedule
      const row: PastRow = { agoMs: HOUR_MS, whose: 'ours' }
      const shown = { visibilityMs: 0, refundLagMs: 0 }
      return sellingWithdrawn(
        { ...schedule, past: { ...past, rows: [...past.rows, row] } },
        {
          workMs,
          orders: { ...truth.orders, visibilityMs: 0 },
          withdrawals: { ...truth.withdrawals, ...shown, answersEarly: true },
        },
      )
    },
  },
  attempts: {
    about: 'a deployment that allows one attempt of each intent, or two',
    draw: (schedule, pick) => {
      const attempts = pick([...Array(6).fill(undefined), 1, 2] as (number | undefined)[])
      return attempts === undefined ? schedule : { ...schedule, timing: { ...schedule.timing, attempts } }
    },
  },
  fills: {
    about:
      'orders that take what they spend at the fill, or in parts until then, while others come that are under the same floor',
    draw: (schedule, pick) => {
      const isDrawn = pick([false, false, true])
      const takes = pick(['at the fill', 'in parts'] as const)
      const settleMs = pick([20_000, 60_000, 300_000])
      const laterMs = pick([2_000, 20_000, 70_000])
      const side = pick(['BUY', 'SELL'] as const)
      const { kinds, guards, truth, entries } = schedule
      const isMixed = kinds.includes(IntentKind.Withdraw)
      if (!isDrawn || (isMixed && !kinds.includes(IntentKind.Convert))) return schedule
      if (isMixed && (guards !== undefined || truth.orders.spells !== undefined)) return schedule
      const second = intentsOf(schedule).size === 1 ? [{ intentId: 'intent-2', delayMs: 0 }] : []
      const spread = [...entries, ...second].map((entry) => {
        return { ...entry, delayMs: entry.delayMs + laterMs * (numberOf(entry.intentId) - 1) }
      })
      const orders = { ...truth.orders, ...(guards === undefined && { side }), takes, settleMs }
      if (isMixed) return sellingWithdrawn({ ...schedule, entries: spread }, { orders })
      // Room for one of them and a part of another.
      const [balance, keep] = orders.side === 'SELL' ? ['3', '1.5'] : ['150300', '75150']
      return withPlanned(withTruth({ ...schedule, entries: spread }, { orders: { ...orders, balance } }), {
        convert: { ...schedule.planned?.convert, keep },
      })
    },
  },
  fees: {
    about:
      "a network's fee that rises while a withdrawal waits for people to let it go on, under bounds close to its total",
    draw: (schedule, pick) => {
      const isDrawn = pick([false, false, true])
      const feeRisesMs = pick([10_000, 60_000, 210_000])
      const halt = { fromMs: pick([0, 0, 20_000]), untilMs: pick([300_000, 500_000, 900_000]) }
      const feeMode = pick(['add', 'add', 'deduct'] as const)
      const bounds = { most: pick([undefined, '101', '102', '103']), keep: pick([undefined, undefined, '898']) }
      const daily = pick(['102', '203', '204', '250', '1000'])
      if (!isDrawn || !schedule.kinds.includes(IntentKind.Withdraw)) return schedule
      const { most, keep = schedule.planned?.withdraw?.keep } = bounds
      const withdraw = { ...(most !== undefined && { most }), ...(keep !== undefined && { keep }) }
      const guards = schedule.guards ?? noGuards({ dailyOutflow: { [WITHDRAWN_ASSET]: daily } })
      return withRows(withPlanned({ ...schedule, halt, feeMode, guards }, { withdraw }), { feeRisesMs })
    },
  },
  unseen: {
    about:
      'lists that are empty right before a send, with a 200, where the account has a row like ours that the journal does not know',
    draw: (schedule, pick) => {
      const isDrawn = pick([false, false, true])
      const agoMs = pick([10 * MINUTE_MS, HOUR_MS, 20 * HOUR_MS])
      const forMs = pick([1_000, 5_000, 20_000])
      const { lacks, datedAheadMs = 0 } = schedule.truth.withdrawals
      // An earlier row that is dated ahead looks like a row made since.
      if (!isDrawn || schedule.shared !== false || lacks !== undefined || datedAheadMs > 0) return schedule
      const rows: readonly PastRow[] = [...schedule.past.rows, { agoMs, whose: 'nobody knows' }]
      return withRows(
        { ...schedule, past: { ...schedule.past, rows } },
        { lacks: { what: 'unseen', fromMs: 0, forMs } },
      )
    },
  },
  balances: {
    about:
      'floors that leave room for no movement, and a key of another account, which has plenty, right before the balance is read',
    draw: (schedule, pick) => {
      const isDrawn = pick([false, false, true])
      const forMs = pick([30_000, 60_000, 200_000])
      const { orders, strayKey } = schedule.truth
      if (!isDrawn || strayKey !== undefined || orders.sellsWithdrawn) return schedule
      const [balance, keep] = orders.side === 'SELL' ? ['3', '2.5'] : ['150300', '125250']
      const convert = { ...schedule.planned?.convert, keep }
      const replaced = { who: 'all', from: 'balance', forMs, isBusy: false } as const
      return withTruth(withPlanned(schedule, { convert, withdraw: { keep: '950' } }), {
        ...{ strayKey: replaced, orders: { ...orders, balance } },
      })
    },
  },
  beside: {
    about:
      'withdrawals of different amounts, some of them alike, at about the same time; an increment that is coarser for a while',
    draw: (schedule, pick) => {
      const isDrawn = pick([false, false, true])
      const { amounts, increments } = pick(SIDE_BY_SIDE)
      const modes = pick(['one', 'one', 'one', 'both'] as const)
      const delays = amounts.map(() => pick([0, 0, 0, 0, 0, 1_000, 5_000, 30_000, 100_000, 160_000]))
      const increment = pick(increments)
      const window = { fromSend: pick([1, 2, 2, 3]), forMs: pick([20_000, 200_000]) }
      const coarser = pick([undefined, { increment, ...window }])
      const without = pick([schedule.without, NETWORK_ALONE, NETWORK_ALONE])
      const isBounded = pick([false, false, false, true])
      const { guards, kinds, truth, feeMode, ...rest } = schedule
      if (!isDrawn || kinds.length === 0 || kinds.includes(IntentKind.Convert)) return schedule
      const other = { add: 'deduct', deduct: 'add' } as const
      const modeOf = (at: number) => (modes === 'both' && at % 2 === 1 ? other[feeMode] : feeMode)
      const asks = amounts.map((amount, at) => ({ amount, feeMode: modeOf(at) }))
      const first = amounts.map((_, at) => ({ intentId: `intent-${at + 1}`, delayMs: delays[at] ?? 0 }))
      const entries = [...first, ...schedule.entries.filter(({ delayMs }) => delayMs >= MINUTE_MS)]
      const bounded = isBounded && guards !== undefined && { guards }
      return withRows(
        {
          ...{ ...rest, ...bounded, feeMode, truth, asks, entries, without },
          kinds: amounts.map(() => IntentKind.Withdraw),
        },
        // Four withdrawals read lists often enough without small pages.
        { balance: '10000', rowsAPage: 100, ...(coarser && { coarser }) },
      )
    },
  },
  conflicts: {
    about:
      'withdrawals side by side whose figures become those of each other once the fee has changed, and runs that settle their terms again meanwhile',
    draw: (schedule, pick) => {
      const isDrawn = pick([false, false, false, false, false, true])
      const delays = APART_AT_THE_OLD_FEE.map(() => pick([0, 0, 1_000, 5_000, 30_000]))
      const again = APART_AT_THE_OLD_FEE.map(() => pick([undefined, 20_000, 40_000, 110_000]))
      const halt = pick([undefined, { fromMs: 0, untilMs: pick([10_000, 30_000, 60_000]) }])
      const feeRisesMs = pick([undefined, 10_000, 40_000, 120_000])
      const { guards: _guards, kinds, halt: _halt, ...rest } = schedule
      if (!isDrawn || kinds.length === 0 || kinds.includes(IntentKind.Convert)) return schedule
      const entries = APART_AT_THE_OLD_FEE.flatMap((_, at) => {
        const entry = { intentId: `intent-${at + 1}`, delayMs: delays[at] ?? 0 }
        const later = again[at]
        return later === undefined ? [entry] : [entry, { ...entry, delayMs: later }]
      })
      return withRows(
        {
          ...{ ...rest, ...(halt && { halt }), entries, without: NETWORK_ALONE },
          asks: APART_AT_THE_OLD_FEE.map((amount) => ({ amount, feeMode: schedule.feeMode })),
          kinds: APART_AT_THE_OLD_FEE.map(() => IntentKind.Withdraw),
        },
        { balance: '10000', rowsAPage: 100, changesFee: true, ...(feeRisesMs !== undefined && { feeRisesMs }) },
      )
    },
  },
  rebounds: {
    about: 'a deployment that lowers or raises what may move in a day, while intents wait for the end of a halt',
    draw: (schedule, pick) => {
      const isDrawn = pick([false, false, true])
      const rebounds = { factor: pick([0.01, 0.5, 0.9, 2]), afterMs: pick([3_000, 40_000, 200_000]) }
      const fromMs = pick([0, 200, 2_000, 20_000])
      const halt = { fromMs, untilMs: rebounds.afterMs + pick([1_000, 60_000]) + fromMs }
      return isDrawn ? { ...schedule, halt, rebounds } : schedule
    },
  },
  charges: {
    about: 'a service that takes a higher fee than it shows, beside the most that was asked for',
    draw: (schedule, pick) => {
      const chargesMore = pick([undefined, undefined, '0.5', '2'])
      const most = pick([undefined, '101', '102', '103'])
      const asked =
        most === undefined ? schedule : withPlanned(schedule, { withdraw: { ...schedule.planned?.withdraw, most } })
      return chargesMore === undefined ? schedule : withRows(asked, { chargesMore })
    },
  },
  jumps: {
    about: 'one answer about the time that is minutes or hours ahead or behind',
    draw: (schedule, pick) => {
      const at = pick([undefined, 1, 2, 3, 4, 5, 6, 7, 8])
      // The first answer to a process is compared with its machine's clock alone. No wrong clock with a sleep comes near these.
      const byMs = pick([10 * MINUTE_MS, 2.5 * HOUR_MS, 2.5 * HOUR_MS, -2.5 * HOUR_MS])
      return at === undefined ? schedule : withTruth(schedule, { timeJumps: { at, byMs } })
    },
  },
  yesterday: {
    about: 'a movement of the day before that fills a total of any 24 hours until soon after the start',
    draw: (schedule, pick) => {
      const filledUntilMs = pick([undefined, 10_000, 60_000, 200_000])
      // Another bound, or another time, may leave room beside it.
      const { rebounds, truth } = schedule
      const isBeside = filledUntilMs === undefined || rebounds !== undefined || truth.timeJumps !== undefined
      return isBeside ? schedule : { ...schedule, filledUntilMs }
    },
  },
  runs: {
    about:
      'the next run of a policy that plans while withdrawals of the run before, perhaps to a bank, may still be sent by a machine whose clock was set back, or wait for a person',
    draw: (schedule, pick) => {
      const overMs = schedule.hurryMs ?? 30 * MINUTE_MS
      const nextRunMs = pick([
        undefined,
        undefined,
        [40_000, 400_000],
        [overMs + 1_000, overMs + 20_000],
        [overMs + 5_000, overMs + 45_000],
        [overMs + 80_000, overMs + 301_000],
      ])
      const lostBeforeArmMs = pick([0, 0, 25_000, 70_000])
      const isToBank = pick([false, true])
      const { forgery, kinds, truth } = schedule
      if (nextRunMs === undefined || forgery !== undefined || !kinds.includes(IntentKind.Withdraw)) return schedule
      const planned = { ...schedule, nextRunMs, ...(lostBeforeArmMs > 0 && { lostBeforeArmMs }) }
      return withRows(planned, isToBank && truth.withdrawals.toldOtherwise === undefined ? { isToBank } : {})
    },
  },
} as const satisfies Readonly<Record<string, Way>>

function keysOf<Name extends string>(record: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(record) as Name[]
}

export type Untidy = keyof typeof WAYS
export const UNTIDY: Readonly<Record<Untidy, Way>> = WAYS
export const ALL_UNTIDY = Object.keys(WAYS) as readonly Untidy[]

/** The draws of each way do not depend on the ways that are left out. */
export function addUntidiness(tidy: Schedule, names: readonly Untidy[]): Schedule {
  let schedule = tidy
  for (const [at, name] of ALL_UNTIDY.entries()) {
    if (!names.includes(name)) continue
    const random = seededRandom(tidy.seed * 7919 + 100 + at)
    schedule = UNTIDY[name].draw(schedule, (options) => pickWith(random, options))
  }
  return schedule
}

/** Conversions sell the withdrawn asset, over a floor with room for one movement. */
function sellingWithdrawn(schedule: Schedule, change: Partial<Schedule['truth']>): Schedule {
  const { misquotes: _misquotes, mistells: _mistells, ...asAsked } = change.orders ?? schedule.truth.orders
  const withdrawals = { ...(change.withdrawals ?? schedule.truth.withdrawals), balance: '1000' }
  const keep = schedule.feeMode === 'add' ? '898.5' : '899.5'
  const orders = { ...asAsked, side: 'SELL', isMoving: false, sellsWithdrawn: true } as const
  return withTruth(withPlanned(schedule, { convert: { keep }, withdraw: { keep } }), { ...change, orders, withdrawals })
}

function withTruth(schedule: Schedule, change: Partial<Schedule['truth']>): Schedule {
  return { ...schedule, truth: { ...schedule.truth, ...change } }
}

function withPlanned(schedule: Schedule, change: NonNullable<Schedule['planned']>): Schedule {
  return { ...schedule, planned: { ...schedule.planned, ...change } }
}

function withRows(schedule: Schedule, change: Partial<WithdrawalTruth>): Schedule {
  return withTruth(schedule, { withdrawals: { ...schedule.truth.withdrawals, ...change } })
}
