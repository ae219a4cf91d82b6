// Provides what one lane of the campaign works with: an account of its own, and a state directory over a disk that fails by
// order. A process runs commands over it, one at a time.
import { type ChildProcess, fork } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { assemblyFolder } from '../../../../place/state/state-layout.ts'
import { FailingDisk } from '../../../helpers/power-cut/failing-disk.ts'
import { DISK_VARIABLE, keep, ROOT_VARIABLE, rebuild } from '../../../helpers/power-cut/kept.ts'
import { type SandboxBeside, startSandboxBeside } from '../../../integration/cli/sandbox-beside.ts'
import type { EndedInProcess } from '../../../unit/cli/run-in-process.ts'
import type { Asked } from './commands-process.ts'

/** No command waits for a fence, because the service's time is advanced. */
const LONGEST_MS = 120_000

/** Undefined where the process was killed. */
type End = EndedInProcess | undefined

interface Started {
  readonly ended: Promise<End>
  endedWithin(ms: number): Promise<End | 'late'>
  interrupt(): Promise<End>
}

export interface Lane {
  readonly disk: FailingDisk
  service(): SandboxBeside
  /** The flags that name the service. */
  serviceArgs(): string[]
  state(): string
  /** Begins a new directory, for a new account. */
  renew(): Promise<void>
  /** Starts a command. `serve` is ready, or has ended, when this resolves. */
  start(argv: readonly string[]): Promise<Started>
  /** Ends the process, as its command has ended. */
  endProcess(): void
  /** Everything that is in the tree now is on disk. */
  settle(): void
  /** Puts in the place of the directory what a power cut has left of it. */
  cutPower(): void
  close(): Promise<void>
}

/** `synthesized`: a state directory with the assembly, which takes seconds to write. */
export async function openLane(dir: string, library: string, synthesized: string): Promise<Lane> {
  const [root, kept, orders, keysFile] = ['root', 'kept', 'orders', 'keys.json'].map((name) =>
    path.join(dir, name),
  ) as [string, string, string, string]
  const disk = new FailingDisk(orders)
  const variables = { [ROOT_VARIABLE]: root, [DISK_VARIABLE]: kept, FAILING_DISK: orders, LD_PRELOAD: library }
  let service: SandboxBeside | undefined
  let child: ChildProcess | undefined
  let cuts = 0

  const putAssembly = () => {
    const folder = assemblyFolder(lane.state())
    rmSync(folder, { recursive: true, force: true })
    cpSync(assemblyFolder(synthesized), folder, { recursive: true })
    lane.settle()
  }
  const lane: Lane = {
    disk,
    service: () => service as SandboxBeside,
    serviceArgs: () => ['--service', lane.service().baseUrl, '--keys', keysFile],
    state: () => path.join(root, `state-${cuts}`),
    async renew() {
      await service?.stop()
      service = await startSandboxBeside()
      lane.endProcess()
      for (const folder of [root, kept]) {
        rmSync(folder, { recursive: true, force: true })
        mkdirSync(folder)
      }
      rmSync(keysFile, { force: true })
      writeFileSync(keysFile, service.keys, { mode: 0o600 })
      mkdirSync(lane.state(), { mode: 0o700 })
      putAssembly()
    },
    async start(argv) {
      child ??= fork(path.join(import.meta.dirname, 'commands-process.ts'), {
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variables },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      const { promise: ended, resolve } = Promise.withResolvers<End>()
      const { promise: ready, resolve: isReady } = Promise.withResolvers<void>()
      const running = child
      running.on('message', (message: { readonly ended?: EndedInProcess }) =>
        message.ended === undefined ? isReady() : resolve(message.ended),
      )
      running.once('exit', () => {
        if (child === running) child = undefined
        resolve(undefined)
      })
      const timer = setTimeout(() => lane.endProcess(), LONGEST_MS)
      const ask = (asked: Asked) => running.connected && running.send(asked)
      ask({ argv })
      void ended.then(() => {
        clearTimeout(timer)
        for (const event of ['message', 'exit']) running.removeAllListeners(event)
      })
      if (argv[0] === 'serve') await Promise.race([ready, ended])
      return {
        ended,
        async endedWithin(ms) {
          const late = Promise.withResolvers<'late'>()
          const end = setTimeout(() => late.resolve('late'), ms)
          const first = await Promise.race([ended, late.promise])
          clearTimeout(end)
          return first
        },
        interrupt() {
          ask({ interrupt: true })
          return ended
        },
      }
    },
    endProcess() {
      child?.kill('SIGKILL')
      child = undefined
    },
    settle() {
      rmSync(kept, { recursive: true, force: true })
      mkdirSync(kept)
      for (const entry of ['.', ...readdirSync(root, { recursive: true, encoding: 'utf8' })])
        keep(path.join(root, entry), kept, false)
    },
    cutPower() {
      const before = path.basename(lane.state())
      const into = path.join(dir, 'rebuilt')
      rmSync(into, { recursive: true, force: true })
      rebuild(root, kept, into, cuts % 2 === 0 ? 'synced' : 'latest')
      cuts += 1
      cpSync(path.join(into, before), lane.state(), { recursive: true })
      rmSync(path.join(root, before), { recursive: true })
      putAssembly()
    },
    async close() {
      lane.endProcess()
      await service?.stop()
    },
  }
  return lane
}
