// Which nonces a key has used. A nonce is kept until no token that carries it could be accepted,
// so that memory is bounded by the traffic of about a minute.

/** A sweep for nonces that can be forgotten runs at most this often. */
const SWEEP_EVERY_MS = 10_000

export class Nonces {
  readonly #keptUntilMs = new Map<string, number>()
  #sweepAtMs = 0

  isUsed(keyName: string, nonce: string): boolean {
    return this.#keptUntilMs.has(`${keyName} ${nonce}`)
  }

  use(keyName: string, nonce: string, keepUntilMs: number): void {
    this.#keptUntilMs.set(`${keyName} ${nonce}`, keepUntilMs)
  }

  forgetExpired(nowMs: number): void {
    if (nowMs < this.#sweepAtMs) return
    this.#sweepAtMs = nowMs + SWEEP_EVERY_MS
    for (const [nonce, keptUntilMs] of this.#keptUntilMs) {
      if (keptUntilMs < nowMs) this.#keptUntilMs.delete(nonce)
    }
  }
}
