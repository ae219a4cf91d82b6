// Starts a sandbox in the test's own process, which no kill of a command reaches. The sandbox is an external service
// for the command, and the witness. A process of its own would cost a second of processor time for each file.
import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox } from '@sluice/service-sandbox'

export interface SandboxBeside {
  readonly baseUrl: string
  /** The text of a key file. */
  readonly keys: string
  /** The next POST to a path meets a fault; `match` changes which requests do. */
  readonly arrange: (
    path: string,
    fault: Readonly<Record<string, unknown>>,
    match?: { readonly method: string; readonly times: number },
  ) => Promise<void>
  /** Advances the service's time. */
  readonly advance: (ms: number) => Promise<void>
  /** A call of the sandbox's control API. */
  readonly control: (path: string, body: object) => Promise<void>
  readonly orderIds: () => Promise<string[]>
  readonly withdrawalIds: () => Promise<string[]>
  /** Resolves with the first order or withdrawal that is not among `known`. */
  readonly untilMoved: (known: readonly string[]) => Promise<string>
  readonly stop: () => Promise<void>
}

const POLL_MS = 20
/** A minute: on a busy machine a command takes long until it sends. */
const MOST_READS = 3_000

export async function startSandboxBeside(): Promise<SandboxBeside> {
  const sandbox = await startSandbox({ seed: 'cli' })
  const { baseUrl, controlUrl, keys } = sandbox
  const { alg, privateKeyPem, secret } = keys.full
  const keysText = JSON.stringify({ secret, privateKeyPem, alg })
  const movedIds = async (...kinds: readonly string[]) => {
    const response = await fetch(`${controlUrl}/oracle`)
    const { movements } = (await response.json()) as { movements: { kind: string; id: string }[] }
    return movements.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id)
  }
  const control = async (path: string, body: object) => {
    const response = await fetch(controlUrl + path, { method: 'POST', body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} was refused: ${await response.text()}`)
  }
  return {
    control,
    baseUrl,
    keys: keysText,
    arrange: (path, fault, match = { method: 'POST', times: 1 }) =>
      control('/rules', { match: { path, ...match }, fault }),
    advance: (ms) => control('/clock', { advanceMs: ms }),
    orderIds: () => movedIds('order'),
    withdrawalIds: () => movedIds('withdrawal'),
    async untilMoved(known) {
      for (let read = 0; read < MOST_READS; read += 1) {
        const moved = (await movedIds('order', 'withdrawal')).find((id) => !known.includes(id))
        if (moved !== undefined) return moved
        await sleep(POLL_MS)
      }
      throw new Error('nothing moved')
    },
    stop: () => sandbox.stop(),
  }
}
