/** What was asked for cannot be done as it was said. The text names the option, what it got and the repair. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest'
}
