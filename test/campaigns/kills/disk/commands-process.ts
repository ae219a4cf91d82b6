// Runs commands one after the other in a process of its own, as its parent asks: over a disk that fails, or under a kill.
import { type RunningInProcess, startInProcess } from '../../../unit/cli/run-in-process.ts'

/** A request: a command, or Ctrl-C for the one that runs. */
export type Asked = { readonly argv: readonly string[] } | { readonly interrupt: true }

let running: RunningInProcess | undefined

process.on('message', (asked: Asked) => {
  if ('interrupt' in asked) {
    void running?.interrupt()
    return
  }
  running = startInProcess(asked.argv)
  running.firstLine.then(
    () => process.send?.({ isReady: true }),
    () => undefined,
  )
  void running.ended.then((ended) => process.send?.({ ended }))
})
