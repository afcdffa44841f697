// What a tool does to the world, and what a call of it must bring before it runs (docs/DESIGN.md, section 3).

export type Operation = 'read' | 'write' | 'destructive'

export type Risk = 'low' | 'medium' | 'high' | 'critical' | 'forbidden'
