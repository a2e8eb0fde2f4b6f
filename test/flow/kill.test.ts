import { killUnderLoad } from './_kill.ts'

killUnderLoad(3)
