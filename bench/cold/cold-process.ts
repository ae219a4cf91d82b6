// Starts a function in a process of its own, with only the given environment, and times its first answer and each call.
// Also times an empty process, for comparison.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const INVOKE = fileURLToPath(new URL('invoke.mjs', import.meta.url))
const NULL_AND_ANSWERS = ['ignore', 'ignore', 'pipe', 'pipe'] as const

export interface ColdFunction {
  /** Absolute: `.mjs`, or CommonJS. */
  readonly file: string
  readonly exportName: string
  readonly environment: Readonly<Record<string, string>>
}

export interface ColdStart {
  /** Time from the start of the process to its first answer. */
  readonly coldMs: number
  /** Time of each call, without loading: the first call and the warm calls after it. */
  readonly callsMs: readonly number[]
  readonly answers: readonly unknown[]
}

/** @throws Error with the last output of the process, if it did not answer every event */
export async function startCold(
  { file, exportName, environment }: ColdFunction,
  events: readonly object[],
): Promise<ColdStart> {
  const startedMs = performance.now()
  const args = [INVOKE, file, exportName, JSON.stringify(events)]
  const child = spawn(process.execPath, args, { env: environment, stdio: [...NULL_AND_ANSWERS] })
  const complaint = text(child.stderr as NodeJS.ReadableStream)
  let coldMs: number | undefined
  let output = ''
  for await (const chunk of child.stdio[3] as NodeJS.ReadableStream) {
    coldMs ??= performance.now() - startedMs
    output += String(chunk)
  }
  const calls = output
    .split('\n')
    .filter((line) => line !== '')
    .map((line): { answer: unknown; tookMs: number } => JSON.parse(line))
  if (coldMs === undefined || calls.length < events.length) throw new Error(`${exportName} broke: ${await complaint}`)
  return { coldMs, callsMs: calls.map(({ tookMs }) => tookMs), answers: calls.map(({ answer }) => answer) }
}

/** An empty process, to its end: no process can start faster. */
export async function startEmpty(): Promise<number> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore', env: {} })
  await new Promise((resolve) => child.once('exit', resolve))
  return performance.now() - startedMs
}
