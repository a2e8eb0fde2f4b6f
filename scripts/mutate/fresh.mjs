/**
 * A resolve hook: what a module with `?run=N` imports of policy and its tests is taken anew for that run, so that a
 * mutant that is active while a module loads is seen too. Packages stay as they are.
 */
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  const run = context.parentURL && new URL(context.parentURL).searchParams.get('run')
  if (!run) return found
  if (specifier === 'tap')
    return { url: new URL(`./tap.mjs?run=${run}`, import.meta.url).href, shortCircuit: true }
  const own = /\/(policy|test\/policy)\/[^?]*\.ts$/.test(found.url)
  return own ? { ...found, url: `${found.url}?run=${run}` } : found
}
