// Finds the bundle of the command line, which `npm run build` writes. Each source of the called command must be as it was
// then, which takes some milliseconds to ask. Plain JavaScript, as all that runs before the command.
'use strict'
const { readFileSync, statSync } = require('node:fs')
const path = require('node:path')

const root = path.join(__dirname, '..')

/** Whether to run the bundle. The package has no sources, and so none that changed. */
function isBundled() {
  // No option of the program takes a value, so the first word names the command, as in cli/program.ts.
  const called = process.argv.slice(2).find((word) => !word.startsWith('-')) ?? 'none'
  const sources = sourcesOf(called) ?? sourcesOf('all')
  if (sources === undefined) return false
  return sources.every(([file, atMs]) => statSync(`${root}/${file}`, { throwIfNoEntry: false })?.mtimeMs === atMs)
}

/** Undefined for a command that has no list of its own, and where there is no bundle. */
function sourcesOf(name) {
  try {
    return /^[a-z]+$/.test(name) ? JSON.parse(readFileSync(`${root}/dist/sources/${name}.json`, 'utf8')) : undefined
  } catch {
    return undefined
  }
}

module.exports = { isBundled }
