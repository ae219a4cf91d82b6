// Gives apps of other people the functions that the repository has bundled: only the published package has bundles.
import { BUNDLES_CONTEXT } from '../../infra/sluice.ts'

const CONTEXT = 'CDK_CONTEXT_JSON'

/** An app that `make` creates finds the bundles in `bundleDir`. CDK reads context from this variable. */
export function withBundles<App>(bundleDir: string, make: () => App): App {
  const before = process.env[CONTEXT]
  process.env[CONTEXT] = JSON.stringify({ [BUNDLES_CONTEXT]: bundleDir })
  try {
    return make()
  } finally {
    if (before === undefined) delete process.env[CONTEXT]
    else process.env[CONTEXT] = before
  }
}
