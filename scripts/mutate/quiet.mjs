// Imported before tap, which tells a parent process of its time-outs: Stryker, the parent here, understands nothing but its
// own texts.
const send = process.send?.bind(process)
if (send !== undefined)
  process.send = (message, ...rest) => typeof message !== 'string' || send(message, ...rest)

// A subtest's time is Stryker's business; tap would end the process.
process.env.TAP_TIMEOUT = '0'
