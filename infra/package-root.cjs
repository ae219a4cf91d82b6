// Finds the folder with package.json: the repository, or the published package. Plain CommonJS, which is the same in
// both, because TypeScript takes `import.meta` in ES modules only.
'use strict'
const path = require('node:path')

exports.PACKAGE_ROOT = path.join(__dirname, '..')
