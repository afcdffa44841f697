// One QuickJS in this thread, with one context that keeps its variables from program to program. An instance is thrown away
// after any trap, and after any error that is not the program's own.
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core'
import { endedBy, FuelGauge, GuestEnded } from '../instance.ts'
import type { InstanceProgram, InstanceRun, InstanceSetup } from '../instance.ts'
import { Output, printed } from '../output.ts'
import type { Ended } from '../sandbox.ts'
import { prelude } from './prelude.ts'
import { quickjs, type LoadedQuickJs } from './quickjs.ts'
import { Rejections } from './rejections.ts'
import { Replay, type Beginning, type Snapshot } from './snapshot.ts'
import { numberOf, paidTexts, unpack, workspaceFunctions } from './workspace-functions.ts'

/** Above this QuickJS exhausts the host's stack first. */
const stackBytes = 256 * 1024
/** JS_EVAL_FLAG_ASYNC: `await` at the top, and variables that stay. */
const asyncScript = 1 << 7
const preludeFuel = 1_000_000_000

/** Runs a program after those before it. */
export type RunProgram = (program: InstanceProgram) => InstanceRun

export interface Opened {
  readonly memory: WebAssembly.Memory
  readonly quickjs: LoadedQuickJs
  readonly fuel: FuelGauge
  readonly runtime: QuickJSRuntime
  readonly context: QuickJSContext
  readonly rejections: Rejections
  /** The function of our prelude. */
  readonly prelude: QuickJSHandle
}

/**
 * Instantiates QuickJS with its own memory, and a context whose prelude is compiled and has not run. The first things that run
 * have V8 optimise QuickJS's interpreter, which takes tenths of a second of other threads and 20 MB: that begins with the
 * first program, for which a thread may wait in vain.
 */
export async function openJavaScript({ module, limits }: InstanceSetup, beginning?: Beginning): Promise<Opened> {
  const memory = new WebAssembly.Memory({ initial: 256, maximum: limits.memoryPages })
  const loaded = await quickjs(module, memory, beginning)
  const fuel = new FuelGauge(loaded.exports)
  fuel.fill(preludeFuel)
  const runtime = loaded.wasm.newRuntime()
  runtime.setMaxStackSize(stackBytes)
  const context = runtime.newContext()
  const compiled = context.unwrapResult(context.evalCode(prelude, '<driver>'))
  const rejections = new Rejections(runtime, loaded.exports, memory)
  return { memory, quickjs: loaded, fuel, runtime, context, rejections, prelude: compiled }
}

/**
 * What runs programs in an instance that is as the snapshot has it.
 * @throws where it cannot be made of it.
 */
export async function restoreJavaScript(setup: InstanceSetup, snapshot: Snapshot): Promise<RunProgram> {
  const replay = new Replay(snapshot)
  const opened = await openJavaScript(setup, replay)
  const run = runnerIn(opened, setup)
  replay.finish(opened.memory, opened.quickjs.clock)
  return run
}

/** Runs our prelude with functions of the host, and answers what runs one program after the other. */
export function runnerIn(opened: Opened, setup: InstanceSetup): RunProgram {
  const { memory, fuel, runtime, context, rejections } = opened
  const { clock } = opened.quickjs
  const { tree, workspace, limits, observe } = setup
  let stdout = new Output(limits.outputBytes, 'first')
  let stderr = new Output(limits.outputBytes, 'last')
  let flooded = false
  let gone = false

  const write = (to: 1 | 2, text: string): void => {
    const out = to === 1 ? stdout : stderr
    out.write(Buffer.from(text))
    if (!out.floods) return
    // An exception from here could be caught in the guest; without fuel nothing more of it runs.
    flooded = true
    fuel.empty()
  }
  const writer = (name: string, to: 1 | 2): QuickJSHandle =>
    context.newFunction(name, (...given) => {
      const [text = ''] = paidTexts(context, fuel, given)
      write(to, unpack(text))
    })
  const { tell, isOutOfMemory, runTimer, clearTimers } = inGuest(context, opened.prelude, [
    writer('writeOut', 1),
    writer('writeError', 2),
    ...workspaceFunctions(context, fuel, tree, workspace),
    context.newFunction('pass', (ms) => clock.pass(numberOf(context, ms))),
  ])

  const fails = (error: QuickJSHandle): { readonly exitCode: number; readonly ended: Ended } => {
    const full = context.sameValue(
      context.unwrapResult(context.callFunction(isOutOfMemory, context.undefined, error)),
      context.true,
    )
    const told = context.callFunction(tell, context.undefined, error)
    if (told.error !== undefined) write(2, 'Uncaught error, which cannot be shown\n')
    told.dispose()
    return { exitCode: 1, ended: full ? 'out_of_memory' : 'error' }
  }

  const reasonOf = (promise: QuickJSHandle): QuickJSHandle | undefined => {
    const state = context.getPromiseState(promise)
    return state.type === 'rejected' ? state.error : undefined
  }

  const evaluate = (code: string): { readonly exitCode: number; readonly ended: Ended } => {
    const started = context.evalCode(code, 'program.js', asyncScript)
    if (started.error !== undefined) return started.error.consume(fails)
    return started.value.consume((promise) => {
      for (;;) {
        const failed = jobs(runtime)
        if (failed !== undefined) return failed.consume(fails)
        // As elsewhere, nothing of the program runs after an error that nobody has handled.
        const unhandled = rejections.take(context)?.consume(reasonOf)
        if (unhandled !== undefined) return unhandled.consume(fails)
        const ran = context.callFunction(runTimer, context.undefined)
        if (ran.error !== undefined) return ran.error.consume(fails)
        if (!context.sameValue(ran.value, context.true)) break
      }
      const state = context.getPromiseState(promise)
      if (state.type === 'rejected') return state.error.consume(fails)
      if (state.type === 'pending') {
        write(2, 'Error: the program awaits a promise that nothing settles\n')
        return { exitCode: 1, ended: 'error' }
      }
      state.value.dispose()
      return { exitCode: 0, ended: 'finished' }
    })
  }

  const guarded = (code: string): { readonly exitCode: number; readonly ended: Ended } => {
    try {
      const ended = evaluate(code)
      context.callFunction(clearTimers, context.undefined).dispose()
      rejections.clear(context)
      // The host's functions report exceptions of their own to the guest, which may have caught this one.
      if (fuel.exhausted) throw new GuestEnded('flood', 1)
      return ended
    } catch (error) {
      gone = true
      return endedBy(flooded ? new GuestEnded('flood', 1) : error instanceof GuestEnded ? undefined : error, fuel)
    }
  }

  const told = (end: { readonly exitCode: number; readonly ended: Ended }): InstanceRun => {
    const { byteLength } = memory.buffer
    return { ...end, ...printed(stdout, stderr), fuel: fuel.used, memoryBytes: byteLength, imports: [], gone }
  }
  observe(() => told({ exitCode: 1, ended: 'timeout' }))

  return ({ code, budget }) => {
    stdout = new Output(limits.outputBytes, 'first')
    stderr = new Output(limits.outputBytes, 'last')
    fuel.fill(budget)
    return told(guarded(code))
  }
}

/** Runs what promises have queued; the error of a job that failed. */
function jobs(runtime: QuickJSRuntime): QuickJSHandle | undefined {
  const done = runtime.executePendingJobs()
  return done.error
}

interface GuestFunctions {
  readonly tell: QuickJSHandle
  readonly isOutOfMemory: QuickJSHandle
  readonly runTimer: QuickJSHandle
  readonly clearTimers: QuickJSHandle
}

function inGuest(context: QuickJSContext, make: QuickJSHandle, given: readonly QuickJSHandle[]): GuestFunctions {
  const made = context.unwrapResult(context.callFunction(make, context.undefined, ...given))
  const named = (name: keyof GuestFunctions): QuickJSHandle => context.getProp(made, name)
  return {
    tell: named('tell'),
    isOutOfMemory: named('isOutOfMemory'),
    runTimer: named('runTimer'),
    clearTimers: named('clearTimers'),
  }
}
