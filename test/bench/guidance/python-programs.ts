// Programs that run and print, from which mistakes are made. Ours, and small, so that one mistake is the only one.

export const pythonPrograms: readonly string[] = [
  `def mean(values):
    total = 0
    for value in values:
        total += value
    return total / len(values)

scores = [3, 5, 7, 9]
average = mean(scores)
if average == 6:
    print("the mean is", average)
else:
    print("another mean", average)
`,
  `import json

text = '{"name": "Ada", "age": 36, "tags": ["math", "code"]}'
person = json.loads(text)
print(person["name"].upper())
for index, tag in enumerate(person["tags"]):
    print(index, tag)
print(json.dumps(person, indent=2))
`,
  `class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance

    def deposit(self, amount):
        self.balance += amount
        return self.balance

    def describe(self):
        return self.owner + " has " + str(self.balance)

account = Account("Grace", 100)
account.deposit(50)
print(account.describe())
`,
  `from collections import Counter

words = "the cat and the dog and the bird".split()
counts = Counter(words)
for word, count in counts.most_common(2):
    print(f"{word}: {count}")
longest = max(words, key=len)
print("longest", longest)
`,
  `import math

def is_prime(number):
    if number < 2:
        return False
    for divisor in range(2, int(math.sqrt(number)) + 1):
        if number % divisor == 0:
            return False
    return True

primes = [number for number in range(30) if is_prime(number)]
print(primes)
print(sum(primes))
`,
  `counter = 0

def increment(step):
    global counter
    counter += step
    return counter

while counter < 10:
    increment(3)
print("counter", counter)
`,
  `prices = {"apple": 3, "pear": 4, "plum": 5}
order = {"apple": 2, "plum": 1}
total = 0
for fruit, amount in order.items():
    total += prices[fruit] * amount
print("total: " + str(total))
names = sorted(prices.keys())
print(names[0], names[-1])
`,
  `from datetime import datetime, timedelta

start = datetime(2024, 1, 31)
end = start + timedelta(days=30)
print(end.strftime("%Y-%m-%d"))
parsed = datetime.strptime("2024-03-05", "%Y-%m-%d")
print((parsed - start).days)
`,
  `def fibonacci(count):
    first, second = 0, 1
    result = []
    while len(result) < count:
        result.append(first)
        first, second = second, first + second
    return result

numbers = fibonacci(10)
for position in range(len(numbers)):
    print(position, numbers[position])
`,
  `rows = [
    {"city": "Bonn", "people": 330},
    {"city": "Kiel", "people": 246},
    {"city": "Ulm", "people": 126},
]
large = [row["city"] for row in rows if row["people"] > 200]
print(", ".join(large))
people = sum(row["people"] for row in rows)
print("people:", people)
`,
  `import re

line = "order 12 shipped to Oslo on 2024-05-01"
found = re.search(r"(\\d{4})-(\\d{2})-(\\d{2})", line)
if found:
    year, month, day = found.groups()
    print(int(year) + 1, month, day)
digits = re.findall(r"\\d+", line)
print(len(digits), digits)
`,
  `def parse(text):
    try:
        return int(text)
    except ValueError as error:
        print("no number:", text)
        return None

values = [parse(part) for part in "1,2,x,4".split(",")]
numbers = [value for value in values if value is not None]
print(sum(numbers))
`,
  `import csv
import io

source = io.StringIO("name,score\\nAda,90\\nBob,85\\n")
reader = csv.DictReader(source)
best = None
for row in reader:
    score = int(row["score"])
    if best is None or score > best:
        best = score
        print(row["name"], score)
print("best:", best)
`,
  `matrix = [[1, 2, 3], [4, 5, 6]]
transposed = []
for column in range(3):
    transposed.append([row[column] for row in matrix])
for row in transposed:
    print(" ".join(str(cell) for cell in row))
flat = [cell for row in matrix for cell in row]
print(max(flat), min(flat))
`,
  `stack = []

def push(item):
    stack.append(item)

def pop():
    if not stack:
        return None
    return stack.pop()

for letter in "abc":
    push(letter)
text = ""
while stack:
    text = text + pop()
print(text)
`,
  `def apply(function, values, scale=1):
    return [function(value) * scale for value in values]

doubled = apply(lambda value: value * 2, [1, 2, 3])
print(doubled)
scaled = apply(abs, [-1, -2], scale=10)
print(scaled)
print(list(zip(doubled, scaled)))
`,
  `with open("notes.txt", "w") as notes:
    notes.write("first line\\n")
    notes.write("second line\\n")
with open("notes.txt") as notes:
    lines = notes.read().splitlines()
print(len(lines))
print(lines[1].title())
`,
  `from functools import reduce
from itertools import groupby

numbers = [1, 1, 2, 3, 3, 3]
product = reduce(lambda left, right: left * right, numbers, 1)
print("product", product)
groups = {key: len(list(group)) for key, group in groupby(numbers)}
print(groups)
`,
  `ages = {"Ann": 31, "Ben": 28}
ages.update({"Cid": 45})
oldest = None
for name in list(ages):
    if ages[name] < 30:
        del ages[name]
    elif oldest is None or ages[name] > ages[oldest]:
        oldest = name
print(oldest, sorted(ages))
`,
  `import statistics
import random

random.seed(7)
samples = [random.randint(1, 6) for roll in range(50)]
middle = statistics.median(samples)
print("median", middle)
spread = statistics.pstdev(samples)
if spread > 0 and middle > 0:
    print("spread is positive")
`,
]
