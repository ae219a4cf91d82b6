// Models the whole service of a world: one clock, one set of keys and nonces, and one account's orders and withdrawals.
import { OrderModel } from './order-model.ts'
import type { Truth } from './schedule.ts'
import type { Scheduler } from './scheduler.ts'
import { SignedService } from './signed-service.ts'
import { WithdrawalModel } from './withdrawal-model.ts'
import type { Witness } from './witness.ts'
import type { Detail } from './world-state.ts'

export class ServiceModel extends SignedService {
  readonly orders: OrderModel
  readonly withdrawals: WithdrawalModel

  constructor(scheduler: Scheduler, witness: Witness, truth: Truth, prices: Readonly<Record<string, string>>) {
    super(scheduler, witness, truth, prices)
    this.orders = new OrderModel(this, truth.orders)
    this.withdrawals = new WithdrawalModel(this, truth.withdrawals)
    if (!truth.orders.sellsWithdrawn) return
    this.withdrawals.sold = () => this.orders.given()
    this.withdrawals.promised = () => this.orders.open()
    this.orders.left = () => this.withdrawals.knownBalance()
  }

  override text(): string {
    return [super.text(), this.orders.text(), this.withdrawals.text()].join('\n')
  }

  override *details(): Iterable<Detail> {
    yield* super.details()
    yield* this.orders.details()
  }
}
