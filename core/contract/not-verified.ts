// Marks the name of a person that nobody has checked: at a desk, and wherever a command takes a name by --by. It is part of
// `by` in every record, so whatever shows who spoke shows it too. Who spoke to a function on AWS is known by STS, and that
// is an ARN, which never ends so.

const MARK = ' (not verified)'

export function asNotVerified(name: string): string {
  return `${name}${MARK}`
}

/** The ARN, or the name as it was given. */
export function nameIn(by: string): string {
  return by.endsWith(MARK) ? by.slice(0, -MARK.length) : by
}
