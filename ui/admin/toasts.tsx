// Something said in passing. What went well leaves by itself; a failure stays until somebody has read it. The live
// region is on the page before anything is said in it, or nobody would hear the first.
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ToastTone } from './context.ts'

const STAYS = 6_000

interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: ToastTone
}

let count = 0

export const useToasts = () => {
  const [list, set] = useState<readonly Toast[]>([])
  return {
    list,
    say: (text: string, tone: ToastTone = 'plain') => {
      const toast = { id: ++count, text, tone }
      set((shown) => [...shown, toast].slice(-4))
    },
    close: (id: number) => set((shown) => shown.filter((toast) => toast.id !== id)),
  }
}

const One = ({ toast, onClose }: { readonly toast: Toast; readonly onClose: () => void }): VNode => {
  useEffect(() => {
    if (toast.tone === 'danger') return undefined
    const timer = setTimeout(onClose, STAYS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div class={`toast ${toast.tone}`}>
      <p>{toast.text}</p>
      <button type="button" class="quiet" onClick={onClose} aria-label="Close this message">
        ×
      </button>
    </div>
  )
}

export const ToastList = ({ toasts }: { readonly toasts: ReturnType<typeof useToasts> }): VNode => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.list.map((toast) => (
      <One key={toast.id} toast={toast} onClose={() => toasts.close(toast.id)} />
    ))}
  </div>
)
