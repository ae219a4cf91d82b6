// For a program that on-node.cjs started from an older Node. A signal that only the launcher received reaches the program
// through the channel between the two. The launcher's end ends the program. The program decides what a signal does.
'use strict'
const { constants } = require('node:os')

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** Set by the launcher, so that a channel of another parent is not taken for the launcher's. */
const LAUNCHED = 'SLUICE_LAUNCHED'

/** Does nothing in a program that another parent started. */
function followLauncher() {
  const { [LAUNCHED]: isLaunched } = process.env
  delete process.env[LAUNCHED]
  if (isLaunched === undefined || process.channel === undefined) return
  // Libraries take this function as a sign of a parent that expects messages.
  delete process.send
  const own = { SIGINT: 0, SIGTERM: 0, SIGHUP: 0 }
  const passed = { SIGINT: 0, SIGTERM: 0, SIGHUP: 0 }
  const { emit } = process
  // A listener would keep a program alive that has no listeners of its own, and libraries count listeners.
  process.emit = function countSignal(name, ...rest) {
    if (SIGNALS.includes(name)) own[name] += 1
    return emit.call(this, name, ...rest)
  }
  process.on('message', ({ signal }) => {
    passed[signal] += 1
    // A terminal sends Ctrl-C to both processes, before the launcher can pass it on. This process sees its own signal at the
    // latest in the next turn of the loop. The signal that was passed on is then the same one.
    setImmediate(setImmediate, () => {
      if (passed[signal] > own[signal]) raise(signal)
    })
  })
  process.on('disconnect', () => raise('SIGTERM'))
  // The channel must not keep a program alive.
  process.channel.unref()
}

function raise(signal) {
  if (process.listenerCount(signal) > 0) process.emit(signal, signal, constants.signals[signal])
  else process.kill(process.pid, signal)
}

module.exports = { followLauncher, LAUNCHED, SIGNALS }
