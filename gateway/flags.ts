import { setFlagsFromString } from 'node:v8'

/**
 * On Node 20 hot loops of calls into WebAssembly aborted the process now and then, unless V8 is told not to inline
 * them. To be imported before anything that loads the Cedar engine.
 */
if (process.versions.node.startsWith('20.')) setFlagsFromString('--no-turbo-inline-js-wasm-calls')
