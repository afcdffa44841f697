// The program that CPython runs: it reads one program after the other from its own channel and runs each in one `__main__`,
// as a script. What the host must know of a run goes back over the channel; stdin, stdout and stderr are the program's.

export const driver = String.raw`
def _countersign():
    import builtins, linecache, os, sys, traceback
    channel = os.open('/control/channel', os.O_RDWR)
    write, display = os.write, traceback.TracebackException
    modules = sys.modules
    main = modules['__main__']
    scope = {'__name__': '__main__', '__builtins__': builtins, '__doc__': None, '__annotations__': {}}
    main.__dict__.clear()
    main.__dict__.update(scope)
    scope = main.__dict__
    sys.argv = ['program.py']
    sys.path = ['/app'] + [path for path in sys.path if path] + ['/packages']
    os.chdir('/app')
    # What is printed before a trap is not lost, and what is no character is no error.
    sys.stdout.reconfigure(line_buffering=True, errors='backslashreplace')
    sys.stderr.reconfigure(line_buffering=True, errors='backslashreplace')
    real_import = builtins.__import__
    depth = 0
    count = 0

    def tell(text):
        write(channel, text.encode('utf-8', 'replace'))

    def __import__(name, globals=None, locals=None, fromlist=(), level=0):
        nonlocal depth
        if depth or level or globals is not scope or type(name) is not str:
            return real_import(name, globals, locals, fromlist, level)
        tell(('again ' if name in modules else 'first ') + name + '\n')
        depth = 1
        found = 'missed\n'
        try:
            module = real_import(name, globals, locals, fromlist, level)
            found = 'imported\n'
            return module
        finally:
            depth = 0
            tell(found)

    def own(frame):
        return frame.f_code.co_filename == '<string>'

    def report(error):
        tb = error.__traceback__
        out_of_memory = type(error) is MemoryError and not error.args and tb is not None and tb.tb_next is not None
        seen = set()
        def clean(one):
            while one is not None and id(one) not in seen:
                seen.add(id(one))
                while one.__traceback__ is not None and own(one.__traceback__.tb_frame):
                    one.__traceback__ = one.__traceback__.tb_next
                step = one.__traceback__
                while step is not None and step.tb_next is not None:
                    if own(step.tb_next.tb_frame):
                        step.tb_next = step.tb_next.tb_next
                    else:
                        step = step.tb_next
                clean(one.__cause__)
                one = one.__context__
        clean(error)
        for line in display(type(error), error, error.__traceback__, compact=True).format():
            print(line, end='', file=sys.__stderr__)
        return 'memory' if out_of_memory else 'error'

    def run(code):
        nonlocal depth, count
        code = code.decode('utf-8')
        count += 1
        name = 'program.py' if count == 1 else 'program-%d.py' % count
        linecache.cache[name] = (len(code), None, [line + '\n' for line in code.splitlines()], name)
        status, ended = 0, 'finished'
        try:
            exec(compile(code, name, 'exec'), scope)
        except SystemExit as leaving:
            status = leaving.code
            if status is None:
                status = 0
            elif isinstance(status, int):
                if not -0x80000000 <= status < 0x80000000:
                    status = 255
            else:
                try:
                    print(status, file=sys.__stderr__)
                except BaseException:
                    pass
                status = 1
        except BaseException as error:
            status = 1
            try:
                ended = report(error)
            except BaseException as second:
                ended = 'error'
                sys.__stderr__.write(type(error).__name__ + '\n')
        depth = 0
        for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
            try:
                stream.flush()
            except BaseException:
                pass
        return status & 255, ended.encode()

    # The first program and the first error of an instance cost far more than all later ones: types of syntax trees are made,
    # modules of tracebacks imported. Each instance pays that here, so that no program does, whether it waited or not.
    linecache.cache['program.py'] = (3, None, ['1/0'], 'program.py')
    try:
        exec(compile('1/0', 'program.py', 'exec'), {})
    except ZeroDivisionError as error:
        list(display(type(error), error, error.__traceback__, compact=True).format())

    # All that a program can replace runs below next and map, which are no Python: the host listens to what is above them.
    def serve(run, channel, read, write, int, next, map):
        write(channel, b'booted\n')
        while True:
            write(channel, b'ended %d %s\n' % next(map(run, (read(channel, int(read(channel, 16))),))))

    builtins.__import__ = __import__
    serve(run, channel, os.read, os.write, int, next, map)

_countersign()
`
