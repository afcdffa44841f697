// The same in JavaScript. A name that is declared twice in one session is an error, so each declares in a block or by `var`.
import type { Spender } from './fuel.ts'

const plain: readonly string[] = [
  // Loops.
  '{ let s = 0; for (let i = 0; i < 50_000; i++) s += i; console.log(s) }',
  '{ let n = 0; while (n < 40_000) n++ }',
  '{ let n = 0; do { n += 2 } while (n < 40_000) }',
  'for (let a = 0; a < 150; a++) for (let b = 0; b < 150; b++) a * b',
  'for (const i of Array.from({ length: 10_000 }, (_, i) => i)) i + 1',
  'for (const key in Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => ["k" + i, i]))) key.length',
  '{ const sieve = new Uint8Array(20_000); for (let i = 2; i < 142; i++) for (let j = i * i; j < 20_000; j += i) sieve[j] = 1 }',
  'for (let i = 0; i < 3_000; i++) try { null.x } catch {}',
  'Array.from({ length: 10_000 }, (_, i) => i * i).filter((n) => n % 3 === 0).reduce((a, b) => a + b, 0)',
  // Recursion and calls.
  'function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }\nfib(18)',
  'function down(n) { return n === 0 ? 0 : 1 + down(n - 1) }\nfor (let i = 0; i < 50; i++) down(200)',
  'function hanoi(n, a, b, c) { return n === 0 ? 0 : hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a) }\nhanoi(11, 1, 2, 3)',
  'function perms(rest) { return rest.length === 0 ? 1 : rest.reduce((s, x) => s + perms(rest.filter((y) => y !== x)), 0) }\nperms([1, 2, 3, 4, 5, 6])',
  'function* numbers(n) { for (let i = 0; i < n; i++) yield i }\nMath.max(...numbers(8_000))',
  '{ const add = (a) => (b) => a + b; for (let i = 0; i < 10_000; i++) add(i)(1) }',
  // Texts.
  '{ let t = ""; for (let i = 0; i < 10_000; i++) t += i; console.log(t.length) }',
  'Array.from({ length: 10_000 }, (_, i) => String(i)).join(",").length',
  '"the cat and the dog ".repeat(1_000).split(" ").map((w) => w.toUpperCase()).sort().length',
  'for (let i = 0; i < 5_000; i++) `${i}: ${i * 2}`',
  '"ab c,".repeat(4_000).replaceAll("b", "xx").length',
  '[..."ä€𝄞".repeat(2_000)].reverse().join("")',
  'for (let i = 0; i < 5_000; i++) String(i).padStart(8, "0")',
  'for (let i = 0; i < 3_000; i++) encodeURIComponent("ä & ö " + i)',
  // Regular expressions.
  '"ann@mail.com, ben at home ".repeat(200).match(/(\\w+)@(\\w+)\\.com/g).length',
  '/(a+)+b/.test("a".repeat(14))',
  '"some words of a text ".repeat(300).replace(/[aeiou]/g, (v) => v.toUpperCase())',
  'for (let i = 0; i < 200; i++) new RegExp(`(a${i}|b)+c?`).test("ababab")',
  // Numbers.
  '{ let x = 0; for (let i = 1; i < 20_000; i++) x += Math.sqrt(i) * Math.sin(i) }',
  '{ let n = 1n; for (let i = 1n; i < 300n; i++) n *= i; console.log(String(n).length) }',
  '7n ** 3_000n',
  'for (let i = 0; i < 5_000; i++) (i / 7).toFixed(3)',
  'for (let i = 0; i < 5_000; i++) parseInt("ff" + i, 16)',
  // Data.
  'JSON.parse(JSON.stringify(Array.from({ length: 1_500 }, (_, i) => ({ i, t: "x" + i })))).length',
  'for (let i = 0; i < 500; i++) JSON.parse(\'{"a": [1, 2, {"b": null}]}\')',
  'Array.from({ length: 5_000 }, (_, i) => (i * 7919) % 5_003).sort((a, b) => a - b)',
  '{ const m = new Map(); for (let i = 0; i < 10_000; i++) m.set("k" + (i % 97), i) }',
  '{ const s = new Set(); for (let i = 0; i < 15_000; i++) s.add(i % 501) }',
  '{ class P { constructor(x) { this.x = x } get twice() { return 2 * this.x } }; let t = 0; for (let i = 0; i < 10_000; i++) t += new P(i).twice }',
  '{ const a = Array.from({ length: 3_000 }, (_, i) => i); while (a.length > 1) a.shift() }',
  '{ let o = {}; for (let i = 0; i < 600; i++) o = { ...o, ["k" + (i % 40)]: i } }',
  '{ const a = new Float64Array(20_000); a.fill(1.5); a.map((x) => x * 2).reduce((x, y) => x + y) }',
  'Object.entries(Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [i, i])))',
  '{ const d = new Date(0); for (let i = 0; i < 1_000; i++) { d.setDate(d.getDate() + 1); d.toISOString() } }',
  // Promises and timers.
  'for (let i = 0; i < 1_500; i++) await i',
  'await Promise.all(Array.from({ length: 800 }, async (_, i) => i))',
  'for (let i = 0; i < 200; i++) await new Promise((go) => setTimeout(go, 10))',
  // Files.
  'for (let i = 0; i < 40; i++) writeFile(`f${i}.txt`, "x".repeat(200)); listFiles().length',
  'writeFile("out.txt", Array.from({ length: 3_000 }, (_, i) => i).join("\\n")); readFile("out.txt").split("\\n").length',
  'for (let i = 0; i < 300; i++) console.log("line", i, { i })',
]

const withHistory: readonly Spender[] = [
  {
    before: ['var rows = Array.from({ length: 3_000 }, (_, i) => i)'],
    code: 'globalThis.rows ??= Array.from({ length: 3_000 }, (_, i) => i); rows.map(String).sort().length',
  },
  {
    before: ['function heavy() { let s = 0; for (let i = 0; i < 20_000; i++) s += i; return s }'],
    code: 'globalThis.heavy ??= () => { let s = 0; for (let i = 0; i < 20_000; i++) s += i; return s }; heavy(); heavy()',
  },
  {
    before: ['writeFile("data.txt", "line\\n".repeat(2_000))'],
    code: 'if (!listFiles().includes("data.txt")) writeFile("data.txt", "line\\n".repeat(2_000)); readFile("data.txt").split("\\n").map((l) => l.length).length',
  },
  { before: ['1'], code: '1' },
  { before: ['console.log("a")'], code: 'console.log("hello")' },
  { before: ['var n = 1', 'n++'], code: 'globalThis.n ??= 0; for (let i = 0; i < 10_000; i++) n++' },
  // What it does grows from run to run.
  {
    before: [],
    code: '(globalThis.log ??= []).push(...Array.from({ length: 2_000 }, (_, i) => i)); log.map((n) => n + 1).length',
  },
]

export const javascriptSpenders: readonly Spender[] = [...plain.map((code) => ({ code, before: [] })), ...withHistory]
