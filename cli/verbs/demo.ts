import { demoSteps } from '../demo/steps.ts'
import { createTeller } from '../demo/teller.ts'
import { EXIT } from '../exit.ts'
import { startLab } from '../lab/lab.ts'
import { defineVerb } from '../verb.ts'

/** The main job with real programs, in a temporary folder and without network. Exit 1 where a step did not do what it says. */
export const demo = defineVerb({
  options: {},
  examples: [['', 'under 30 seconds; nothing is left behind']],
  async run(_values, terminal) {
    const lab = await startLab(terminal.env)
    try {
      const teller = createTeller(terminal.out, lab)
      for (const step of demoSteps(terminal.env)) await step(teller, lab)
      return teller.failures() === 0 ? EXIT.ok : EXIT.no
    } finally {
      await lab.stop()
    }
  },
})
