// Configures Vitest for the contract suite alone (see main.ts). A distant service may be slow.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/contract/*.test.ts'], environment: 'node', testTimeout: 120_000, hookTimeout: 60_000 },
})
