// Packages without types of their own, as far as tests and the embedded run use them.
declare module 'dynalite' {
  import type { Server } from 'node:http'
  export default function dynalite(options?: { path?: string; createTableMs?: number }): Server
}
