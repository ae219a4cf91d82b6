// Reads the fills of a slice, and adds them up for each order.
import { addFill, type FillSums, NO_FILLS } from '../../core/audit/judge-movement.ts'
import { isWithin, spanOf } from './audit-window.ts'
import type { Judging } from './collected.ts'
import type { AuditedFill, AuditedService } from './ports.ts'

/** Maximum number of fills of a slice. */
const MOST_FILLS = 200_000

export class Fills {
  readonly byId = new Map<string, AuditedFill>()
  readonly #sums = new Map<string, FillSums>()
  readonly #service: Pick<AuditedService, 'findFills'>

  private constructor(service: Pick<AuditedService, 'findFills'>) {
    this.#service = service
  }

  /** Up to now in the newest slice, because an order may fill long after it was placed. @throws TooMany */
  static async read({ ports: { service }, slice, collected }: Judging): Promise<Fills> {
    const fills = new Fills(service)
    const { startDate, endDate } = spanOf(slice)
    const span = slice.isNewest ? { startDate } : { startDate, endDate }
    for await (const fill of service.walkFills(span, MOST_FILLS)) {
      const isOfSlice = isWithin(slice, fill.executedAt) || Date.parse(fill.executedAt) > slice.throughMs
      if (slice.isWhole || (slice.isNewest ? isOfSlice : isWithin(slice, fill.executedAt))) collected.counts.fills += 1
      fills.byId.set(fill.id, fill)
      fills.#sums.set(fill.orderId, addFill(fills.sumsOf(fill.orderId), fill))
    }
    return fills
  }

  /** Sums of the fills that were read. */
  sumsOf(orderId: string): FillSums {
    return this.#sums.get(orderId) ?? NO_FILLS
  }

  /** Sums of all fills of the order. */
  async readSumsOf(orderId: string): Promise<FillSums> {
    return (await this.#service.findFills(orderId)).reduce(addFill, NO_FILLS)
  }
}
