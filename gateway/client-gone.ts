/** The error of a request body whose client went away in the middle of it: no fault of the gateway. */
export class ClientGone extends Error {
  readonly code = 'ERR_CLIENT_GONE'

  constructor() {
    super('the client went away in mid-request')
    this.name = 'ClientGone'
  }
}
