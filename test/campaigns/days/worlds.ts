// The worlds of the simulated days, by name.
import type { World } from './world.ts'
import { approvals } from './worlds/approvals.ts'
import { bounds } from './worlds/bounds.ts'
import { clocks } from './worlds/clocks.ts'
import { contacts } from './worlds/contacts.ts'
import { deposits } from './worlds/deposits.ts'
import { fees } from './worlds/fees.ts'
import { files } from './worlds/files.ts'
import { jumps } from './worlds/jumps.ts'
import { midnight } from './worlds/midnight.ts'
import { openOrders } from './worlds/open-orders.ts'
import { payouts } from './worlds/payouts.ts'
import { portfolios } from './worlds/portfolios.ts'
import { recounted } from './worlds/recounted.ts'
import { renamed } from './worlds/renamed.ts'
import { sameRows } from './worlds/same-rows.ts'
import { shared } from './worlds/shared.ts'
import { spent } from './worlds/spent.ts'
import { stranded } from './worlds/stranded.ts'
import { strange } from './worlds/strange.ts'
import { throttled } from './worlds/throttled.ts'
import { usual } from './worlds/usual.ts'

export const WORLDS: readonly World[] = [
  usual,
  bounds,
  spent,
  jumps,
  approvals,
  midnight,
  clocks,
  throttled,
  shared,
  contacts,
  fees,
  openOrders,
  files,
  deposits,
  stranded,
  renamed,
  recounted,
  portfolios,
  payouts,
  sameRows,
  strange,
]
