// Names what carries a company's network to a process: a file of certificates, and variables. Without the shapes in
// treasury.json, because every command reads these names as it starts.

/** File beside the bundle that holds the certificates. It has no size limit of its own, as variables have. */
export const AUTHORITIES_FILE = 'certificate-authorities.pem'

/** Variables that Node and our own code read in every process. Others chose their names. */
export const NetworkVariable = {
  HttpsProxy: 'HTTPS_PROXY',
  NoProxy: 'NO_PROXY',
  /** Makes Node before 24.14 use the proxy for fetch too. */
  UseEnvProxy: 'NODE_USE_ENV_PROXY',
  /** Path of a PEM file. Node adds its certificates to those that it trusts, while it starts. */
  ExtraAuthorities: 'NODE_EXTRA_CA_CERTS',
} as const
