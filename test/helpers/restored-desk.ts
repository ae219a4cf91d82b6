// Starts a desk with the built-in sandbox in a state directory. Its database can be copied, restored and lost, like a
// table on AWS. Waits end at once.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { databaseFolder, type EmbeddedAws, startEmbeddedAws } from '@sluice/embedded-aws'
import type { Sandbox } from '@sluice/service-sandbox'
import type { StateMachine } from '../../core/contract/states.ts'
import { loadTreasury } from '../../core/treasury/config.ts'
import { embeddedKeys } from '../../place/desk/embedded-keys.ts'
import { builtInService, openBuiltInSandbox } from '../../place/service/built-in-sandbox.ts'
import { builtInFolder } from '../../place/state/state-layout.ts'
import { declared } from './declared-journal.ts'

/** Longer sleeps are time-outs. */
const LONGEST_WAIT_MS = 3_600_000

export interface OpenDesk {
  readonly aws: EmbeddedAws
  readonly sandbox: Sandbox
  run(stateMachine: StateMachine, name: string, input: object): Promise<{ readonly outcome: string }>
  /** Waits for an execution that continues from an earlier time. */
  untilFinished(stateMachine: StateMachine, name: string): Promise<void>
  /** The movements in the sandbox's own books. */
  movements(): Promise<readonly string[]>
  control(path: string, body?: unknown): Promise<unknown>
}

export class RestoredDesk {
  readonly stateDir = mkdtempSync(path.join(tmpdir(), 'sluice-restored-'))
  readonly #assemblyDir: string
  #isNew = true

  constructor(assemblyDir: string) {
    this.#assemblyDir = assemblyDir
  }

  get awsDir(): string {
    return builtInFolder(this.stateDir).awsDir
  }

  async open<Result>(work: (desk: OpenDesk) => Promise<Result>): Promise<Result> {
    const { awsDir, sandboxFile } = builtInFolder(this.stateDir)
    const sandbox = await openBuiltInSandbox(sandboxFile)
    const control = async (route: string, body?: unknown) => {
      const init =
        body === undefined
          ? {}
          : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      const answer = await fetch(`${sandbox.controlUrl}${route}`, init)
      if (!answer.ok) throw new Error(`control ${route}: ${answer.status}`)
      return answer.json()
    }
    const { url, keys } = builtInService(sandbox)
    const starting = startEmbeddedAws({
      assemblyDir: this.#assemblyDir,
      stateDir: awsDir,
      parameters: { ServiceUrl: url },
      ...embeddedKeys(loadTreasury().service, keys),
      // Power cuts do not matter here.
      isDurable: false,
      clock: {
        nowMs: () => Date.now(),
        async sleep(ms, signal) {
          if (ms <= LONGEST_WAIT_MS) return void (await control('/clock', { advanceMs: Math.ceil(ms) }))
          await new Promise((_, reject) =>
            signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
          )
        },
      },
    })
    const aws = await (this.#isNew ? declared(starting) : starting)
    this.#isNew = false
    try {
      return await work({
        aws,
        sandbox,
        control,
        async run(stateMachine, name, input) {
          const { executionArn } = await aws.startExecution({ stateMachine, name, input: JSON.stringify(input) })
          const { output, cause } = await aws.untilFinished(executionArn)
          return JSON.parse(output ?? cause ?? 'null')
        },
        async untilFinished(stateMachine, name) {
          const found = aws.findExecution(stateMachine, name)
          if (found === undefined) throw new Error(`there is no execution ${name}`)
          await aws.untilFinished(found.executionArn)
        },
        async movements() {
          const { movements } = (await control('/oracle')) as { readonly movements: readonly object[] }
          return movements.map((movement) => JSON.stringify(movement)).sort()
        },
      })
    } finally {
      await aws.stop()
      await sandbox.stop()
    }
  }

  /** Another desk with the records and the service of this closed desk. */
  copy(): RestoredDesk {
    const desk = new RestoredDesk(this.#assemblyDir)
    cpSync(this.stateDir, desk.stateDir, { recursive: true })
    desk.#isNew = this.#isNew
    return desk
  }

  /** Copies the database of the closed desk. */
  copyDatabase(): void {
    cpSync(databaseFolder(this.awsDir), path.join(this.stateDir, 'backup'), { recursive: true })
  }

  putBack(): void {
    this.loseDatabase()
    cpSync(path.join(this.stateDir, 'backup'), databaseFolder(this.awsDir), { recursive: true })
  }

  loseDatabase(): void {
    rmSync(databaseFolder(this.awsDir), { recursive: true })
  }

  remove(): void {
    rmSync(this.stateDir, { recursive: true, force: true })
  }
}
