// Remembers the nonces that a key has used. A nonce is kept as long as a token with it could be accepted. No token
// lives longer than 60 seconds (signed-token.ts), so memory holds little more than one minute of traffic.

/** Minimum time between sweeps that forget nonces. */
const SWEEP_EVERY_MS = 10_000

export class Nonces {
  /** Keys: the name of a key, a space, a nonce. */
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
    for (const [keyAndNonce, keptUntilMs] of this.#keptUntilMs) {
      if (keptUntilMs < nowMs) this.#keptUntilMs.delete(keyAndNonce)
    }
  }
}
