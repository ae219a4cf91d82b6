// @ts-check
// Loaded into each worker thread before its function: functions see the virtual clock of virtual-time.ts. Clocks that
// nobody can set (performance.now, timers) stay the host's, as on a Lambda that was frozen between two invocations.
import { getEnvironmentData } from 'node:worker_threads'

const shared = getEnvironmentData('sluice-days-offset')
if (shared instanceof SharedArrayBuffer) {
  const offsetMs = new Float64Array(shared)
  const HostDate = Date
  const nowMs = () => HostDate.now() + (offsetMs[0] ?? 0)
  globalThis.Date = new Proxy(HostDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [nowMs()] : args, newTarget),
    apply: () => new HostDate(nowMs()).toString(),
    get: (target, name) => (name === 'now' ? nowMs : Reflect.get(target, name)),
  })
}
