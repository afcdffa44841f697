// The runtimes that say what is wrong with a mutant: CPython 3.12 of this machine, with a time and a memory limit and in a
// folder of its own, and QuickJS as the sandbox has it. Where one is missing, it is not measured, and that is said.
import { spawnSync } from 'node:child_process'

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** Runs programs, or only compiles them; one after the other, each in a process or context of its own. */
export type Runtime = (programs: readonly string[], compileOnly?: boolean) => readonly Ran[]

const driver = String.raw`
import contextlib, io, json, os, resource, shutil, signal, sys, tempfile, traceback
asked = json.load(sys.stdin)
base, out = tempfile.mkdtemp(), []
for at, code in enumerate(asked['programs']):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        folder = os.path.join(base, str(at))
        os.mkdir(folder)
        os.chdir(folder)
        signal.alarm(5)
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        stdout, stderr, status = io.StringIO(), io.StringIO(), 0
        with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
            try:
                compiled = compile(code, 'program.py', 'exec')
                if not asked['compileOnly']:
                    sys.stdin = io.StringIO('')
                    exec(compiled, {'__name__': '__main__'})
            except SystemExit as error:
                status = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
            except BaseException as error:
                error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
                traceback.print_exception(error)
                status = 1
        os.write(write, json.dumps({'stdout': stdout.getvalue()[-20000:], 'stderr': stderr.getvalue()[-20000:], 'exitCode': status}).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, 'rb') as answers:
        answer = answers.read()
    os.waitpid(child, 0)
    out.append(json.loads(answer) if answer else {'stdout': '', 'stderr': '', 'exitCode': 137})
shutil.rmtree(base)
json.dump(out, sys.stdout)
`

/** CPython 3.12 under one of these names. */
export function pythonRuntime(names: readonly string[]): Runtime | undefined {
  const command = names.find((name) => {
    const { status, stdout } = spawnSync(name, ['--version'], { encoding: 'utf8' })
    return status === 0 && stdout.startsWith('Python 3.12')
  })
  if (command === undefined) return undefined
  return (programs, compileOnly = false) => {
    const { stdout, stderr } = spawnSync(command, ['-I', '-W', 'ignore', '-c', driver], {
      input: JSON.stringify({ programs, compileOnly }),
      encoding: 'utf8',
      maxBuffer: 1e9,
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
    })
    if (stdout === '') throw new Error(`${command} answered nothing: ${stderr}`)
    return JSON.parse(stdout) as readonly Ran[]
  }
}

interface Handle {
  dispose(): void
}
interface Context {
  readonly runtime: {
    setMaxStackSize(bytes: number): void
    setInterruptHandler(ask: () => boolean): void
    executePendingJobs(most: number): { readonly error?: Handle }
  }
  readonly global: Handle
  evalCode(code: string, name: string): { readonly error?: Handle; readonly value?: Handle }
  dump(handle: Handle): unknown
  dispose(): void
}

const prelude = `globalThis.printed = []; globalThis.console = {}
for (const name of ['log', 'error', 'warn', 'info']) console[name] = (...values) => { printed.push(values.map((one) => typeof one === 'string' ? one : JSON.stringify(one)).join(' ')) }`

/** QuickJS, where its packages are installed. */
export async function javascriptRuntime(): Promise<Runtime | undefined> {
  const [core, wasm]: readonly string[] = ['quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync']
  try {
    const { newQuickJSWASMModuleFromVariant } = (await import(core ?? '')) as {
      newQuickJSWASMModuleFromVariant: (variant: unknown) => Promise<{ newContext(): Context }>
    }
    const { default: variant } = (await import(wasm ?? '')) as { default: unknown }
    const engine = await newQuickJSWASMModuleFromVariant(variant)
    return (programs) => programs.map((code) => runJavascript(engine.newContext(), code))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

function runJavascript(context: Context, code: string): Ran {
  context.runtime.setMaxStackSize(256 * 1024)
  let asked = 0
  context.runtime.setInterruptHandler(() => ++asked > 2000)
  const dumped = (handle: Handle | undefined): unknown => {
    const value = handle === undefined ? undefined : context.dump(handle)
    handle?.dispose()
    return value
  }
  context.evalCode(prelude, '<driver>').value?.dispose()
  const { error, value } = context.evalCode(code, 'program.js')
  value?.dispose()
  const failed = dumped(error ?? context.runtime.executePendingJobs(1000).error)
  const stdout = dumped(context.evalCode('printed.join("\\n")', '<driver>').value)
  context.dispose()
  const { name, message, stack } = Object(failed) as { name?: string; message?: string; stack?: string }
  const stderr =
    failed === undefined
      ? ''
      : name === undefined
        ? `Uncaught ${JSON.stringify(failed)}\n`
        : `${name}: ${message}\n${stack ?? ''}`
  return { stdout: String(stdout), stderr, exitCode: failed === undefined ? 0 : 1 }
}
