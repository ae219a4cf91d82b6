// In a program that on-node.cjs on an older Node has started: signals that the launcher alone got come by the channel between
// the two, and its end ends the program. What the program does with a signal is not its business.
'use strict'
const { constants } = require('node:os')

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** Set by the launcher, so that nobody else's channel is taken for its own. */
const LAUNCHED = 'SLUICE_LAUNCHED'

/** Does nothing in a program that was started by somebody else. */
function followLauncher() {
  const { [LAUNCHED]: isLaunched } = process.env
  delete process.env[LAUNCHED]
  if (isLaunched === undefined || process.channel === undefined) return
  // Libraries take this for a parent that wants to hear from them.
  delete process.send
  const own = { SIGINT: 0, SIGTERM: 0, SIGHUP: 0 }
  const passed = { SIGINT: 0, SIGTERM: 0, SIGHUP: 0 }
  const { emit } = process
  // A listener would keep a program alive that has none of its own, and libraries count listeners.
  process.emit = function countSignal(name, ...rest) {
    if (SIGNALS.includes(name)) own[name] += 1
    return emit.call(this, name, ...rest)
  }
  process.on('message', ({ signal }) => {
    passed[signal] += 1
    // Ctrl-C goes to both processes, before the launcher can pass it on: this process has got its own, and hears of it at
    // the latest in the next turn of the loop. Then what was passed on is the same one.
    setImmediate(setImmediate, () => {
      if (passed[signal] > own[signal]) raise(signal)
    })
  })
  process.on('disconnect', () => raise('SIGTERM'))
  // The listeners keep no program alive.
  process.channel.unref()
}

function raise(signal) {
  if (process.listenerCount(signal) > 0) process.emit(signal, signal, constants.signals[signal])
  else process.kill(process.pid, signal)
}

module.exports = { followLauncher, LAUNCHED, SIGNALS }
