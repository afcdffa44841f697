// Programs that run and print, from which mistakes are made.

export const javascriptPrograms: readonly string[] = [
  `function mean(values) {
  let total = 0;
  for (const value of values) {
    total += value;
  }
  return total / values.length;
}

const scores = [3, 5, 7, 9];
const average = mean(scores);
if (average === 6) {
  console.log("the mean is", average);
} else {
  console.log("another mean", average);
}
`,
  `const text = '{"name": "Ada", "tags": ["math", "code"]}';
const person = JSON.parse(text);
console.log(person.name.toUpperCase());
person.tags.forEach((tag, index) => {
  console.log(index, tag);
});
console.log(JSON.stringify(person));
`,
  `class Account {
  constructor(owner, balance) {
    this.owner = owner;
    this.balance = balance;
  }
  deposit(amount) {
    this.balance += amount;
    return this.balance;
  }
}

const account = new Account("Grace", 100);
account.deposit(50);
console.log(\`\${account.owner} has \${account.balance}\`);
`,
  `const prices = { apple: 3, pear: 4, plum: 5 };
const order = { apple: 2, plum: 1 };
let total = 0;
for (const [fruit, amount] of Object.entries(order)) {
  total += prices[fruit] * amount;
}
console.log("total: " + total);
const names = Object.keys(prices).sort();
console.log(names[0], names[names.length - 1]);
`,
  `function isPrime(number) {
  if (number < 2) {
    return false;
  }
  for (let divisor = 2; divisor * divisor <= number; divisor++) {
    if (number % divisor === 0) {
      return false;
    }
  }
  return true;
}

const primes = [];
for (let number = 0; number < 30; number++) {
  if (isPrime(number)) primes.push(number);
}
console.log(primes.join(", "));
`,
  `const words = "the cat and the dog and the bird".split(" ");
const counts = new Map();
for (const word of words) {
  counts.set(word, (counts.get(word) || 0) + 1);
}
const sorted = [...counts.entries()].sort((left, right) => right[1] - left[1]);
console.log(sorted[0][0], sorted[0][1]);
`,
  `const users = [
  { name: "Ann", address: { city: "Bonn" } },
  { name: "Ben", address: { city: "Kiel" } },
];
const cities = users.map((user) => user.address.city);
console.log(cities.filter((city) => city.startsWith("B")).length);
const [first, second] = users;
console.log(first.name, second.name);
`,
  `class Shape {
  constructor(name) {
    this.name = name;
  }
}
class Square extends Shape {
  constructor(side) {
    super("square");
    this.side = side;
  }
  area() {
    return this.side ** 2;
  }
}
const square = new Square(4);
console.log(square.name, square.area());
`,
  `async function load(value) {
  return value * 2;
}

async function run() {
  const first = await load(1);
  const second = await load(first);
  console.log("result", second);
  return second;
}
run();
`,
  `const numbers = [5, 3, 8, 1];
let largest = numbers[0];
for (let index = 1; index < numbers.length; index++) {
  if (numbers[index] > largest) {
    largest = numbers[index];
  }
}
const sum = numbers.reduce((total, number) => total + number, 0);
console.log(largest, sum, numbers.includes(8));
`,
]
